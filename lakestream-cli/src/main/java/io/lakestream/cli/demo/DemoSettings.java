// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.cli.PolicyName;
import io.lakestream.cli.Vocabulary;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.text.PackingSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a demo is to do.
 *
 * @param input the text to stream
 * @param place where the namespace goes, or empty for a temporary folder
 * @param producers how many processes write
 * @param kills how many processes are killed, one after the other
 * @param seed decides who is killed and when
 * @param vocabulary what the text is encoded with
 * @param packing the shape of the batches, and with it the ranks
 * @param policy when producers commit
 * @param ending what becomes of the temporary folder
 */
record DemoSettings(
    Path input,
    Optional<String> place,
    int producers,
    int kills,
    long seed,
    Vocabulary vocabulary,
    PackingSettings packing,
    PolicyName policy,
    Stage.Ending ending) {
  /** Enough to show the point; each is a JVM of its own. */
  static final int PRODUCERS_MAX = 64;

  /** As for producers. */
  static final int RANKS_MAX = 64;

  /** Long enough to watch, and to kill somebody who really is in the midst of his work. */
  private static final long RUN_MILLIS = 10_000;

  /** About what it takes a process to start again and to get to work. */
  private static final long KILL_MILLIS = 1_000;

  /** A text of a few batches is soon written, whatever else. */
  private static final long PACE_MILLIS_MAX = 1_000;

  DemoSettings {
    if (producers < 1 || producers > PRODUCERS_MAX) {
      throw new InvalidRequest(
          "a demo has 1 to %d producers, not %d".formatted(PRODUCERS_MAX, producers));
    }
    if (packing.mesh().cells() > RANKS_MAX) {
      throw new InvalidRequest(
          "a demo starts a process for each of the %d ranks of a %s mesh; use at most %d"
              .formatted(packing.mesh().cells(), packing.mesh(), RANKS_MAX));
    }
    if (kills < 0) {
      throw new InvalidRequest("%d processes cannot be killed; use 0 or more".formatted(kills));
    }
  }

  /**
   * How long a producer rests after each batch, in milliseconds: processes write as steadily as
   * preprocessing workers do, and there is time for all kills.
   *
   * @param batches what the producer has to write
   */
  long paceMillis(long batches) {
    long runMillis = Math.max(RUN_MILLIS, kills * KILL_MILLIS);
    return Math.min(PACE_MILLIS_MAX, runMillis / Math.max(1, batches));
  }

  Mesh mesh() {
    return packing.mesh();
  }
}
