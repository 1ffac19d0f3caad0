// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import io.lakestream.model.Generation;
import io.lakestream.model.InvalidRequest;
import java.util.function.Consumer;

/**
 * Settings of a consumer.
 *
 * @param prefetchSteps steps fetched ahead
 * @param prefetchBytes bytes of slices fetched ahead; one larger slice is let through alone. Until
 *     it is fetched, a slice whose length only the footer of its batch tells counts as an even
 *     share of the batch, and so does one that a remap puts together: long ones may exceed the
 *     bound by as many as are fetched at a time
 * @param fetchesInFlightMax slices being fetched at a time
 * @param pollMillisMin pause between looks for a newer manifest while there is news
 * @param pollMillisMax pause that doubling reaches while there is none
 * @param end what the consumer takes for the end
 * @param remap what it gets if the job's mesh is not the stream's
 * @param skipsUpTo it skips the steps that this manifest version says are to be skipped, that of
 *     the job's start on all of its ranks; 0 for none
 */
public record ConsumerSettings(
    int prefetchSteps,
    long prefetchBytes,
    int fetchesInFlightMax,
    long pollMillisMin,
    long pollMillisMax,
    End end,
    Remap remap,
    long skipsUpTo) {

  /** What a consumer takes for the end of the stream. */
  public enum End {
    /** The sealed end, as every rank of a job must; until then the consumer waits for more. */
    SEALED,

    /** The sealed end, or the head at the time of opening: for tools that look at what is there. */
    HEAD
  }

  private static final long MIB = 1024 * 1024;

  /**
   * Eight fetches, polls between 10 ms and 1 s apart; 128 steps or 256 MiB ahead. Steps are handed
   * out in order, so a fetch that is slow holds up those behind it: with few steps ahead for each
   * fetch, all others soon stand still.
   */
  public static final ConsumerSettings DEFAULT =
      new ConsumerSettings(128, 256 * MIB, 8, 10, 1_000, End.SEALED, Remap.NONE, 0);

  public ConsumerSettings {
    require(prefetchSteps >= 1, "prefetchSteps", prefetchSteps);
    require(prefetchBytes >= 1, "prefetchBytes", prefetchBytes);
    require(
        fetchesInFlightMax >= 1 && fetchesInFlightMax <= 256,
        "fetchesInFlightMax",
        fetchesInFlightMax);
    require(pollMillisMin >= 1, "pollMillisMin", pollMillisMin);
    require(pollMillisMax >= pollMillisMin, "pollMillisMax", pollMillisMax);
    require(skipsUpTo >= 0, "skipsUpTo", skipsUpTo);
  }

  private static void require(boolean isRight, String name, long value) {
    if (!isRight) {
      throw new InvalidRequest("consumer setting %s cannot be %d".formatted(name, value));
    }
  }

  /** These settings with other bounds on prefetching. */
  public ConsumerSettings withPrefetch(int steps, long bytes, int fetchesInFlight) {
    return with(
        draft -> {
          draft.prefetchSteps = steps;
          draft.prefetchBytes = bytes;
          draft.fetchesInFlightMax = fetchesInFlight;
        });
  }

  /** These settings with other pauses between looks for a newer manifest. */
  public ConsumerSettings withPolling(long millisMin, long millisMax) {
    return with(
        draft -> {
          draft.pollMillisMin = millisMin;
          draft.pollMillisMax = millisMax;
        });
  }

  /** These settings with another end. */
  public ConsumerSettings until(End newEnd) {
    return with(draft -> draft.end = newEnd);
  }

  /** These settings for a job whose mesh may be another than the stream's. */
  public ConsumerSettings remapping(Remap newRemap) {
    return with(draft -> draft.remap = newRemap);
  }

  /** These settings for a rank of a start of a job: it skips what the start is to skip. */
  public ConsumerSettings startedAs(Generation generation) {
    return with(draft -> draft.skipsUpTo = generation.version());
  }

  /** A copy of these settings, in which some are changed. */
  private final class Draft {
    private int prefetchSteps = ConsumerSettings.this.prefetchSteps;
    private long prefetchBytes = ConsumerSettings.this.prefetchBytes;
    private int fetchesInFlightMax = ConsumerSettings.this.fetchesInFlightMax;
    private long pollMillisMin = ConsumerSettings.this.pollMillisMin;
    private long pollMillisMax = ConsumerSettings.this.pollMillisMax;
    private End end = ConsumerSettings.this.end;
    private Remap remap = ConsumerSettings.this.remap;
    private long skipsUpTo = ConsumerSettings.this.skipsUpTo;
  }

  private ConsumerSettings with(Consumer<Draft> change) {
    Draft draft = new Draft();
    change.accept(draft);
    return new ConsumerSettings(
        draft.prefetchSteps,
        draft.prefetchBytes,
        draft.fetchesInFlightMax,
        draft.pollMillisMin,
        draft.pollMillisMax,
        draft.end,
        draft.remap,
        draft.skipsUpTo);
  }
}
