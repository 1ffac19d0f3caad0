// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.lakestream.cli.Skips;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a demo; its JSON form has these names.
 *
 * @param passed whether the check found nothing wrong
 * @param steps steps of the stream
 * @param tokens tokens in them, padding excluded
 * @param kills processes that were killed
 * @param killsPlanned how many were to be killed
 * @param commitSuccess share of commit attempts that published
 * @param visibleMillisP50 median time from written to visible, in milliseconds
 * @param visibleMillisP95 its 95th percentile
 * @param readAmplification bytes that ranks fetched for each byte of a slice
 * @param bytes length of all slices
 * @param mbPerSecondIn megabytes of slices written a second, from the first step to the seal
 * @param mbPerSecondOut megabytes of slices read a second by all ranks, from the first step on
 * @param attempts commit attempts of the producers' last lives
 * @param commits those that published
 * @param versions manifest versions of the stream
 * @param headBytes length of the newest of them
 * @param seconds how long the processes ran
 * @param seed what decided the kills
 * @param input what was streamed
 * @param skipped what was left out of it
 * @param place where the namespace was
 * @param producers how many processes wrote
 * @param mesh the ranks that read
 * @param killed the kills in order
 * @param mismatches what is wrong
 */
record DemoReport(
    boolean passed,
    long steps,
    long tokens,
    int kills,
    int killsPlanned,
    double commitSuccess,
    double visibleMillisP50,
    double visibleMillisP95,
    double readAmplification,
    long bytes,
    double mbPerSecondIn,
    double mbPerSecondOut,
    long attempts,
    long commits,
    long versions,
    long headBytes,
    double seconds,
    long seed,
    String input,
    Skips skipped,
    String place,
    int producers,
    String mesh,
    List<Killed> killed,
    List<String> mismatches) {

  /**
   * A kill.
   *
   * @param who the process
   * @param seconds when, in seconds after the start
   * @param reached how many batches or steps it had told to be done
   * @param resumedAt the batch or step at which it went on
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Killed(String who, double seconds, long reached, @Nullable Long resumedAt) {}

  DemoReport {
    killed = List.copyOf(killed);
    mismatches = List.copyOf(mismatches);
  }
}
