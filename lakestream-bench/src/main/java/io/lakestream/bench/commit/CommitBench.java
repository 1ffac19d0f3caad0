// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.commit;

import io.lakestream.bench.Progress;
import io.lakestream.bench.Sample;
import io.lakestream.bench.WorkFolder;
import io.lakestream.format.FormatLimits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commits to streams of very different length, one step each, on the file store with full
 * durability. The streams take turns with every single commit, so that whatever else the machine
 * does hits all alike; whole seal cycles are measured, since one commit in a cycle puts a segment
 * as well.
 */
public final class CommitBench {
  /** Commits from one sealing to the next. */
  private static final int CYCLE_COMMITS = FormatLimits.SEGMENT_STEPS;

  /** Bytes of disk per step of history: descriptors, rounded up to the blocks of files. */
  private static final long BYTES_PER_STEP = 80;

  /** Bytes of disk per commit that is measured. */
  private static final long BYTES_PER_COMMIT = 32_000;

  private final Progress progress;
  private final List<LongStream> streams = new ArrayList<>();

  private CommitBench(Progress progress) {
    this.progress = progress;
  }

  /**
   * Measures commits to histories of these lengths.
   *
   * @param at the folder whose disk is measured
   * @param cycles how many seal cycles are measured
   * @throws IOException if the disk fails or has too little room
   */
  public static List<CommitFigure> run(
      Path at, HistoryLengths lengths, int cycles, Progress progress)
      throws IOException, InterruptedException {
    try (WorkFolder work = WorkFolder.in(at)) {
      CommitBench bench = new CommitBench(progress);
      Closeable histories = bench::close;
      try (histories) {
        bench.build(work, lengths, cycles);
        return bench.measure(cycles);
      }
    }
  }

  private void build(WorkFolder work, HistoryLengths lengths, int cycles)
      throws IOException, InterruptedException {
    long steps = lengths.steps().stream().mapToLong(Long::longValue).sum();
    long commits = (long) lengths.steps().size() * (cycles + 1) * CYCLE_COMMITS;
    work.requireRoom(steps * BYTES_PER_STEP + commits * BYTES_PER_COMMIT);
    for (int i = 0; i < lengths.steps().size(); i++) {
      long length = lengths.steps().get(i);
      progress.stage("writing a history of %,d steps".formatted(length));
      streams.add(LongStream.build(work.resolve("history-" + i), length));
    }
  }

  private List<CommitFigure> measure(int cycles) throws IOException, InterruptedException {
    progress.stage("warm-up, %d commits to each".formatted(CYCLE_COMMITS));
    commitInTurns(CYCLE_COMMITS);
    streams.forEach(LongStream::reset);
    for (int cycle = 1; cycle <= cycles; cycle++) {
      progress.stage("seal cycle %d of %d".formatted(cycle, cycles));
      commitInTurns(CYCLE_COMMITS);
    }
    progress.stage("opening");
    List<CommitFigure> figures = new ArrayList<>();
    for (LongStream stream : streams) {
      figures.add(figure(stream, cycles * CYCLE_COMMITS));
    }
    return figures;
  }

  private void commitInTurns(int commits) throws IOException, InterruptedException {
    for (int round = 0; round < commits; round++) {
      for (int i = 0; i < streams.size(); i++) {
        streams.get((round + i) % streams.size()).commit();
      }
    }
  }

  private static CommitFigure figure(LongStream stream, int commits) throws IOException {
    Sample millis = stream.commitMillis();
    long open = 0;
    for (int stale = 0; stale <= CommitFigure.FRESH_VERSIONS; stale++) {
      open = Math.max(open, stream.coldOpenRequests(stale));
    }
    // Of the versions that are there: nothing below the boundary may be hinted at.
    long staleVersions = CYCLE_COMMITS;
    return new CommitFigure(
        stream.steps(),
        commits,
        rounded(millis.quantile(0.5)),
        rounded(millis.quantile(0.99)),
        rounded(millis.mean()),
        rounded(stream.bytesPerCommit()),
        stream.headBytesMax(),
        open,
        staleVersions,
        stream.coldOpenRequests(staleVersions),
        stream.warmPollRequests());
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }

  private void close() throws IOException {
    for (LongStream stream : streams) {
      stream.close();
    }
  }
}
