// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.cli.process.Stage;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import java.nio.file.Path;

/**
 * What a soak is to do.
 *
 * @param producers how many processes write
 * @param jobs how many training jobs read
 * @param mesh the mesh of the stream and of each job, which has a process for each of its ranks
 * @param reclaimers how many processes reclaim
 * @param chaosMillis how long processes are killed and stopped
 * @param seed decides who is struck, when and how
 * @param place the folder in which a temporary one is made
 * @param ending what becomes of that if all is well
 */
record SoakSettings(
    int producers,
    int jobs,
    Mesh mesh,
    int reclaimers,
    long chaosMillis,
    long seed,
    Path place,
    Stage.Ending ending) {
  /** Each is a JVM of its own. */
  static final int PROCESSES_MAX = 256;

  /** Two hours: the judge has all that everybody told in memory. */
  private static final long CHAOS_MILLIS_MAX = 2 * 3_600_000L;

  SoakSettings {
    if (producers < 1 || jobs < 1 || reclaimers < 1) {
      throw new InvalidRequest(
          "a soak has producers, jobs and reclaimers, at least one of each, not %d, %d and %d"
              .formatted(producers, jobs, reclaimers));
    }
    long processes = (long) producers + (long) jobs * mesh.cells() + reclaimers;
    if (processes > PROCESSES_MAX) {
      throw new InvalidRequest(
          "that would be %d processes, a job having one for each of its %d ranks; at most %d"
              .formatted(processes, mesh.cells(), PROCESSES_MAX));
    }
    if (chaosMillis < 1_000 || chaosMillis > CHAOS_MILLIS_MAX) {
      throw new InvalidRequest(
          ("a soak lasts from a second to two hours, not %,d s: all that its processes tell is"
                  + " compared in memory; run several, with other seeds")
              .formatted(chaosMillis / 1_000));
    }
  }

  /** How many ranks read in all jobs. */
  int ranks() {
    return jobs * mesh.cells();
  }

  /** How many there are of a kind. */
  int count(Strike.Kind kind) {
    return switch (kind) {
      case PRODUCER -> producers;
      case RANK -> ranks();
      case RECLAIMER -> reclaimers;
    };
  }
}
