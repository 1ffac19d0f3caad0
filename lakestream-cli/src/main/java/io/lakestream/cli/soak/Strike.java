// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

/**
 * Something that happens to a process.
 *
 * @param atMillis when, in milliseconds after the beginning of the chaos
 * @param kind what the process is
 * @param index which one of that kind, from 0; ranks are counted over all jobs
 * @param action what happens to it
 * @param pauseMillis how long it sleeps at least, or 0 if it is killed
 */
record Strike(long atMillis, Kind kind, int index, Action action, long pauseMillis) {

  /** What a process is. */
  enum Kind {
    PRODUCER("producer"),
    RANK("rank"),
    RECLAIMER("reclaimer");

    private final String noun;

    Kind(String noun) {
      this.noun = noun;
    }

    /** What it is called. */
    String noun() {
      return noun;
    }
  }

  /** What happens. */
  enum Action {
    /** SIGKILL, and another life begins. */
    KILL,
    /** SIGSTOP, and SIGCONT later. */
    PAUSE,
    /** SIGSTOP, and another life begins while this one sleeps. */
    REPLACE
  }
}
