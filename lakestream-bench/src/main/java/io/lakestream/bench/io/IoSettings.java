// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import io.lakestream.model.InvalidRequest;
import java.nio.file.Path;
import java.util.List;

/**
 * What to measure.
 *
 * @param at the folder whose disk is measured
 * @param sizes bytes of a TGB, each a point
 * @param inFlight objects being written or read at a time, on both sides
 * @param warmUpPairs how often each point is run on both sides before it is measured: until the
 *     just-in-time compiler is done with the longer of the two paths
 * @param pairs how often each point is measured on both sides
 * @param runMillis about how long one run takes at least
 * @param folderSteps small steps written before the first run, so that it does not pay for the 256
 *     folders of a new stream
 * @param setBytes about how many bytes are there to be read
 * @param longSteps steps of the stream whose metadata is counted
 * @param liveVersions manifest versions that are followed one by one
 */
public record IoSettings(
    Path at,
    List<Integer> sizes,
    int inFlight,
    int warmUpPairs,
    int pairs,
    long runMillis,
    int folderSteps,
    long setBytes,
    int longSteps,
    int liveVersions) {
  /** Sizes of the paper's evaluation: 100 KB, 1 MB and 10 MB. */
  public static final List<Integer> SIZES = List.of(100_000, 1_000_000, 10_000_000);

  /** As many uploads as a producer makes at a time by default. */
  public static final int IN_FLIGHT = 4;

  /** Enough for a median that two bad pairs do not move. */
  public static final int PAIRS = 7;

  private static final int SIZE_MIN = 1_000;
  private static final int SIZE_MAX = 1_000_000_000;
  private static final int IN_FLIGHT_MAX = 64;
  private static final int PAIRS_MAX = 1_000;
  private static final int TWO_SEAL_CYCLES = 256;

  /** Chosen at random, so many reach nearly all of 256 folders. */
  private static final int MOST_FOLDERS = 1_500;

  /** So many reach half of them. */
  private static final int SOME_FOLDERS = 200;

  public IoSettings {
    sizes = List.copyOf(sizes);
    require(!sizes.isEmpty(), "at least one size is needed");
    for (int size : sizes) {
      require(
          size >= SIZE_MIN && size <= SIZE_MAX,
          "a size is 1KB to 1GB, not %d bytes".formatted(size));
    }
    require(
        inFlight >= 1 && inFlight <= IN_FLIGHT_MAX,
        "1 to %d objects can be in flight, not %d".formatted(IN_FLIGHT_MAX, inFlight));
    require(pairs >= 1 && pairs <= PAIRS_MAX, "1 to %d pairs, not %d".formatted(PAIRS_MAX, pairs));
  }

  /** A measurement to be relied on: some minutes. */
  public static IoSettings thorough(Path at, List<Integer> sizes, int inFlight, int pairs) {
    return new IoSettings(
        at, sizes, inFlight, 5, pairs, 1_000, MOST_FOLDERS, 2_000_000_000, 10_000, TWO_SEAL_CYCLES);
  }

  /** A look: some seconds, and figures that differ from run to run. */
  public static IoSettings quick(Path at, List<Integer> sizes, int inFlight, int pairs) {
    return new IoSettings(
        at, sizes, inFlight, 1, pairs, 200, SOME_FOLDERS, 100_000_000, 2_000, TWO_SEAL_CYCLES);
  }

  private static void require(boolean isRight, String message) {
    if (!isRight) {
      throw new InvalidRequest(message);
    }
  }
}
