// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/** The JDK behind the three interfaces of this package. */
final class SystemEnvironment {
  static final Environment INSTANCE =
      new Environment(new SystemClock(), new SystemEntropy(), new SystemTasks());

  private SystemEnvironment() {}

  private static final class SystemClock implements Clock {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public long epochMillis() {
      return System.currentTimeMillis();
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
      if (nanos > 0) {
        TimeUnit.NANOSECONDS.sleep(nanos);
      }
    }
  }

  private static final class SystemEntropy implements Entropy {
    private static final double DOUBLE_UNIT = 0x1.0p-53;

    private final SecureRandom random = new SecureRandom();

    @Override
    public long nextLong() {
      return random.nextLong();
    }

    @Override
    public double nextDouble() {
      return (random.nextLong() >>> 11) * DOUBLE_UNIT;
    }
  }

  private static final class SystemTasks implements Tasks {
    @Override
    public Task start(String name, Runnable body) {
      Thread thread = new Thread(body, name);
      // A trainer that forgets to close a reader must still be able to exit.
      thread.setDaemon(true);
      thread.start();
      return new SystemTask(thread);
    }

    @Override
    public Monitor monitor() {
      return new SystemMonitor();
    }
  }

  private record SystemTask(Thread thread) implements Tasks.Task {
    @Override
    public void interrupt() {
      thread.interrupt();
    }

    @Override
    public void join() throws InterruptedException {
      thread.join();
    }
  }
}
