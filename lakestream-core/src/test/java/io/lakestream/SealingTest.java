// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.Streams.EAGER;
import static io.lakestream.Streams.MESH;
import static io.lakestream.Streams.batch;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.format.Hint;
import io.lakestream.format.Names;
import io.lakestream.model.SealMode;
import io.lakestream.policy.CommitSettings;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Monitor;
import io.lakestream.runtime.Tasks;
import io.lakestream.store.Body;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A seal comes from the caller's thread, while the commit loop may not be done yet. */
final class SealingTest {
  private static final Environment SYSTEM = Environment.system();

  /** A published batch, after which the commit loop stands still until it is joined. */
  private static final class LateLoop implements Clock, Tasks {
    private final CountDownLatch isJoined = new CountDownLatch(1);
    private volatile boolean isPublished;

    Environment environment() {
      return new Environment(this, SYSTEM.entropy(), this);
    }

    void published() {
      isPublished = true;
    }

    static boolean isHere() {
      return Thread.currentThread().getName().endsWith("-commit");
    }

    @Override
    public long nanoTime() {
      if (isPublished && isHere()) {
        try {
          isJoined.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return SYSTEM.clock().nanoTime();
    }

    @Override
    public long epochMillis() {
      return SYSTEM.clock().epochMillis();
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
      SYSTEM.clock().sleep(nanos);
    }

    @Override
    public Task start(String name, Runnable body) {
      Task started = SYSTEM.tasks().start(name, body);
      return new Task() {
        @Override
        public void interrupt() {
          started.interrupt();
        }

        @Override
        public void join() throws InterruptedException {
          isJoined.countDown();
          started.join();
        }
      };
    }

    @Override
    public Monitor monitor() {
      return SYSTEM.tasks().monitor();
    }
  }

  /** A store that keeps the hints of the commit loop. */
  private static final class WatchedHints extends ForwardingStore {
    private final List<ByteBuffer> hints = Collections.synchronizedList(new ArrayList<>());

    WatchedHints() {
      super(new MemoryStore());
    }

    @Override
    public void put(String key, Body body) throws IOException {
      if (key.equals(Names.HINT) && LateLoop.isHere()) {
        hints.add(ByteBuffer.wrap(body.toArray()));
      }
      super.put(key, body);
    }
  }

  @Test
  void aSealLeavesAloneWhatTheCommitLoopWorksWith() throws Exception {
    LateLoop late = new LateLoop();
    WatchedHints store = new WatchedHints();
    ProducerSettings settings =
        EAGER
            .withUploads(1, 1 << 20, 0)
            .withParts(1 << 20)
            .withCommit(new CommitSettings(60_000, 10_000, 0));
    try (Namespace stream = Lakestream.create(store, "memory:///x", MESH, late.environment())) {
      Producer producer = stream.producer("p", settings, publication -> late.published());
      producer.write(batch("p", 0), "0");
      producer.seal(SealMode.WHEN_ALONE);
      assertThat(store.hints)
          .extracting(hint -> Hint.decode(stream.uuid(), hint).version())
          .as("the version with the batch, not that of the seal")
          .containsExactly(2L);
      assertThat(stream.view().summary().isSealed()).isTrue();
    }
  }
}
