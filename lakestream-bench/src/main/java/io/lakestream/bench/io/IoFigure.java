// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import org.jspecify.annotations.Nullable;

/**
 * One measured point. What does not apply to it is null.
 *
 * @param op write or read
 * @param tgbBytes bytes of a TGB
 * @param ranks D·C: slices of a TGB
 * @param bundleBytes up to how many bytes TGBs shared an object; 0 for one each, as on the plain
 *     side
 * @param megabytesPerSecond 10^6 bytes of slices a second through Lakestream, the median run
 * @param rawMegabytesPerSecond the same through plain file calls
 * @param ratioToRaw the one in units of the other, the median pair
 * @param readAmplification all bytes that a rank read from the store, in units of the bytes of its
 *     slices; of the ranks tried, the worst
 * @param metadataBytesPerVersion bytes besides data that a rank read for each manifest version
 *     while it followed the stream from one to the next
 */
public record IoFigure(
    String op,
    long tgbBytes,
    int ranks,
    @Nullable Long bundleBytes,
    @Nullable Double megabytesPerSecond,
    @Nullable Double rawMegabytesPerSecond,
    @Nullable Double ratioToRaw,
    @Nullable Double readAmplification,
    @Nullable Double metadataBytesPerVersion) {
  /** Writing, as an op. */
  public static final String WRITE = "write";

  /** Reading, as an op. */
  public static final String READ = "read";

  private static final double MEGABYTE = 1e6;

  /** A point of both sides, of {@code bytes} bytes for each run. */
  static IoFigure ofDuel(
      String op, long tgbBytes, long bundleBytes, long bytes, Duel.Result result) {
    return new IoFigure(
        op,
        tgbBytes,
        1,
        bundleBytes,
        rounded(bytes / MEGABYTE / result.oursSeconds()),
        rounded(bytes / MEGABYTE / result.plainSeconds()),
        rounded(result.speedRatio()),
        null,
        null);
  }

  /** What reading costs besides the slices. */
  static IoFigure ofMetadata(long tgbBytes, int ranks, double amplification, double perVersion) {
    return new IoFigure(
        READ, tgbBytes, ranks, null, null, null, null, rounded(amplification), rounded(perVersion));
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
