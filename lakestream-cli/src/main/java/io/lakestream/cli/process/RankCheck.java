// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import io.lakestream.cli.StepLine;
import io.lakestream.model.Cursor;
import io.lakestream.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks a rank's own account: every step once and in order, over all its lives; each life began at
 * the cursor that the one before had saved; what it read again after a kill was the same.
 */
public final class RankCheck {
  private final RankLog log;
  private final Mismatches mismatches;

  /** Prepares to check an account; what is wrong goes to {@code mismatches}. */
  public RankCheck(RankLog log, Mismatches mismatches) {
    this.log = log;
    this.mismatches = mismatches;
  }

  /**
   * Checks the account.
   *
   * @param end one past the stream's last step
   */
  public void run(long end) {
    checkOrder(end);
    for (int i = 1; i < log.lives().size(); i++) {
      checkResumption(log.lives().get(i - 1), log.lives().get(i));
    }
    RankLog.Life last = log.lives().get(log.lives().size() - 1);
    if (last.done().isEmpty()) {
      mismatches.add("%s did not come to the end of the stream".formatted(log));
    } else if (!descriptorsSha256(last.steps())
        .equals(last.done().get().path("descriptorsSha256").asText())) {
      mismatches.add("%s reports another descriptorsSha256 than that of its steps".formatted(log));
    }
  }

  private void checkOrder(long end) {
    long expected = 0;
    for (RankStep step : log.steps()) {
      if (step.step() > expected) {
        mismatches.add("%s lost %s".formatted(log, range(expected, step.step())));
      } else if (step.step() < expected) {
        mismatches.add(
            "%s read step %d again, after step %d".formatted(log, step.step(), expected - 1));
      }
      expected = Math.max(expected, step.step() + 1);
    }
    if (expected < end) {
      mismatches.add("%s lost %s".formatted(log, range(expected, end)));
    } else if (expected > end) {
      mismatches.add(
          "%s read %s, which the stream does not have".formatted(log, range(end, expected)));
    }
  }

  private static String range(long from, long to) {
    return to - from == 1 ? "step " + from : "steps %d to %d".formatted(from, to - 1);
  }

  private void checkResumption(RankLog.Life before, RankLog.Life after) {
    long saved = after.startStep();
    if (!after.steps().isEmpty() && after.steps().get(0).step() != saved) {
      mismatches.add(
          "%s resumed at step %d, its saved cursor was step %d"
              .formatted(log, after.steps().get(0).step(), saved));
    }
    Map<Long, RankStep> earlier = new TreeMap<>();
    before.steps().forEach(step -> earlier.put(step.step(), step));
    after.start().ifPresent(cursor -> checkCursor(cursor, earlier));
    for (RankStep step : after.steps()) {
      RankStep first = earlier.get(step.step());
      if (first != null && !first.equals(step)) {
        mismatches.add(
            "%s read another step %d after it was killed: %s, before %s"
                .formatted(log, step.step(), step, first));
      }
    }
  }

  /** A cursor stands behind a step that was read and names the version that published it. */
  private void checkCursor(Cursor cursor, Map<Long, RankStep> earlier) {
    RankStep last = earlier.get(cursor.step() - 1);
    if (last != null && last.version() != cursor.version()) {
      mismatches.add(
          "%s saved version %d with step %d, whose version is %d"
              .formatted(log, cursor.version(), last.step(), last.version()));
    }
    if (cursor.part() != 0) {
      mismatches.add("%s saved a cursor inside of step %d".formatted(log, cursor.step()));
    }
  }

  /** SHA-256 over the descriptors of steps, in hexadecimal. */
  public static String descriptorsSha256(List<RankStep> steps) {
    Sha256 hash = new Sha256();
    for (RankStep step : steps) {
      hash.add(StepLine.of(step.info()).getBytes(StandardCharsets.UTF_8));
    }
    return hash.hex();
  }
}
