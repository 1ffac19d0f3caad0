// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a soak; its JSON form has these names.
 *
 * @param passed whether nothing is wrong
 * @param seed what decided the strikes
 * @param seconds from the start of the processes until the last had ended
 * @param producers how many processes wrote
 * @param jobs how many training jobs read
 * @param mesh the ranks of each
 * @param reclaimers how many processes reclaimed
 * @param steps steps of the stream
 * @param acknowledged batches that producers were told to be published
 * @param versions manifest versions of the stream
 * @param boundary the highest version that is dead
 * @param firstStep the first step that is left
 * @param producerKills producers that got SIGKILL
 * @param rankKills ranks that did
 * @param reclaimerKills reclaimers that did
 * @param producerStops producers that got SIGSTOP, and SIGCONT later
 * @param rankStops ranks that did
 * @param reclaimerStops reclaimers that did
 * @param outlived how many of them went on when the version that they knew was dead
 * @param replaced producers that were opened by another process while they slept
 * @param producersFenced producers that noticed that they had been replaced
 * @param rollBacks starts of a job from a checkpoint
 * @param ranksFenced ranks that slept meanwhile and noticed that they were left over
 * @param retries processes that gave up on the store or on a commit, and were started again
 * @param readAgain steps that ranks read once more, or for nothing
 * @param dataObjectsDeleted objects of batches that reclaimers told to be gone
 * @param orphansDeleted objects that were never published, or trimmed by another pass
 * @param versionsDeleted manifest versions of which they told
 * @param place the folder, if it stays, or null
 * @param wrong what is wrong, first things first
 */
record SoakReport(
    boolean passed,
    long seed,
    double seconds,
    int producers,
    int jobs,
    String mesh,
    int reclaimers,
    long steps,
    long acknowledged,
    long versions,
    long boundary,
    long firstStep,
    long producerKills,
    long rankKills,
    long reclaimerKills,
    long producerStops,
    long rankStops,
    long reclaimerStops,
    long outlived,
    long replaced,
    long producersFenced,
    long rollBacks,
    long ranksFenced,
    long retries,
    long readAgain,
    long dataObjectsDeleted,
    long orphansDeleted,
    long versionsDeleted,
    @Nullable String place,
    List<String> wrong) {
  SoakReport {
    wrong = List.copyOf(wrong);
  }
}
