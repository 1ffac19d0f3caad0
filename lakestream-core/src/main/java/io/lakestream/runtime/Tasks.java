// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.runtime;

/** Threads as the product sees them. Safe for use by several threads. */
public interface Tasks {

  /** Starts {@code body} in a thread of its own. */
  Task start(String name, Runnable body);

  /** A new lock that the threads of these tasks may share. */
  Monitor monitor();

  /** A started thread. */
  interface Task {
    /** Asks the thread to stop: its next or present wait throws {@link InterruptedException}. */
    void interrupt();

    /** Waits until the thread has ended. */
    void join() throws InterruptedException;
  }
}
