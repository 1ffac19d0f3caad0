// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import io.lakestream.bench.Progress;
import io.lakestream.bench.WorkFolder;
import io.lakestream.policy.ProducerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writing and reading through Lakestream, compared with {@link PlainFiles plain file calls}; and
 * what a rank reads besides its slices.
 *
 * <p>Both sides handle the same bytes, with the same number of objects in flight, in a fresh buffer
 * for each object, with a CRC32C that is computed on the way out and compared on the way in, and
 * both publish a file by temporary file, force, rename and force of the folder. What Lakestream
 * does beyond that (footers, manifests, order, one caller that hands over and takes) is in its
 * time. Reads come from the page cache, since a disk would hide what software costs.
 */
public final class IoBench {
  /** Runs are as long as asked for, unless that takes more bytes than this. */
  private static final long RUN_BYTES_MAX = 2_000_000_000L;

  private static final int COUNT_MIN = 8;
  private static final long SET_COUNT_MAX = 4_000;

  private static final int FOLDER_STEP_BYTES = 100;

  private final IoSettings settings;
  private final Progress progress;
  private final WorkFolder work;

  private IoBench(IoSettings settings, Progress progress, WorkFolder work) {
    this.settings = settings;
    this.progress = progress;
    this.work = work;
  }

  /**
   * Measures all points.
   *
   * @throws IOException if the disk fails or has too little room
   */
  public static List<IoFigure> run(IoSettings settings, Progress progress)
      throws IOException, InterruptedException {
    try (WorkFolder work = WorkFolder.in(settings.at())) {
      IoBench bench = new IoBench(settings, progress, work);
      List<IoFigure> figures = new ArrayList<>();
      for (int tgbBytes : settings.sizes()) {
        figures.add(bench.write(tgbBytes, 0));
        figures.add(bench.read(tgbBytes));
      }
      figures.add(new Metadata(settings, progress, work).measure());
      long bundleBytes = ProducerSettings.DEFAULT.bundleBytesMax();
      for (int tgbBytes : settings.sizes()) {
        if (2L * tgbBytes <= bundleBytes) {
          figures.add(bench.write(tgbBytes, bundleBytes));
        }
      }
      return figures;
    }
  }

  private IoFigure write(int tgbBytes, long bundleBytes) throws IOException, InterruptedException {
    String name = name("write", tgbBytes) + (bundleBytes > 0 ? " in bundles" : "");
    Payloads payloads = new Payloads(tgbBytes);
    Path folder = work.resolve(name);
    PlainFiles plain = new PlainFiles(folder.resolve("plain"), settings.inFlight());
    progress.stage(name + ", how many make a run");
    long count = count(plain, payloads);
    work.requireRoom(2 * count * tgbBytes);
    Path root = folder.resolve("stream");
    IoFigure figure;
    try (StreamFiles stream =
        StreamFiles.create(root, settings.inFlight(), tgbBytes, bundleBytes)) {
      stream.write(new Payloads(FOLDER_STEP_BYTES), settings.folderSteps());
      stream.clear();
      Duel duel =
          new Duel(
              name,
              side(() -> stream.write(payloads, count), stream::clear),
              side(() -> plain.write(payloads, count), plain::clear));
      Duel.Result result = duel.run(settings.warmUpPairs(), settings.pairs(), progress);
      figure = IoFigure.ofDuel(IoFigure.WRITE, tgbBytes, bundleBytes, tgbBytes * count, result);
    }
    WorkFolder.delete(folder);
    return figure;
  }

  /** How many plain writes take as long as a run should. */
  private long count(PlainFiles plain, Payloads payloads) throws IOException, InterruptedException {
    double wantedSeconds = settings.runMillis() / 1e3;
    long max = Math.max(COUNT_MIN, RUN_BYTES_MAX / payloads.bytes());
    long count = COUNT_MIN;
    double seconds = 0;
    while (count < max) {
      long tried = count;
      work.requireRoom(tried * payloads.bytes());
      seconds = Duel.seconds(side(() -> plain.write(payloads, tried), plain::clear));
      if (seconds >= wantedSeconds / 4) {
        return Math.min(max, Math.max(COUNT_MIN, Math.round(count * wantedSeconds / seconds)));
      }
      count *= 2;
    }
    return max;
  }

  private IoFigure read(int tgbBytes) throws IOException, InterruptedException {
    String name = name("read", tgbBytes);
    Path folder = work.resolve(name);
    long count = Math.max(COUNT_MIN, Math.min(SET_COUNT_MAX, settings.setBytes() / tgbBytes));
    work.requireRoom(2 * count * tgbBytes);
    progress.stage(name + ", writing what will be read");
    PlainFiles plain = new PlainFiles(folder.resolve("plain"), settings.inFlight());
    Path root = folder.resolve("stream");
    IoFigure figure;
    try (StreamFiles stream = StreamFiles.create(root, settings.inFlight(), tgbBytes, 0)) {
      Payloads payloads = new Payloads(tgbBytes);
      plain.write(payloads, count);
      stream.write(payloads, count);
      stream.seal();
      figure = read(name, tgbBytes, stream, plain, count);
    }
    WorkFolder.delete(folder);
    return figure;
  }

  /** Reads {@code count} steps of both sides, as often as makes a run. */
  private IoFigure read(String name, int tgbBytes, StreamFiles stream, PlainFiles plain, long count)
      throws IOException, InterruptedException {
    double onceSeconds = Duel.seconds(side(() -> plain.read(count), () -> {}));
    long passes = (long) Math.ceil(settings.runMillis() / 1e3 / onceSeconds);
    Duel duel =
        new Duel(
            name,
            side(() -> repeat(passes, () -> stream.read(count)), () -> {}),
            side(() -> repeat(passes, () -> plain.read(count)), () -> {}));
    Duel.Result result = duel.run(settings.warmUpPairs(), settings.pairs(), progress);
    return IoFigure.ofDuel(IoFigure.READ, tgbBytes, 0, passes * count * tgbBytes, result);
  }

  private static String name(String op, int tgbBytes) {
    return "%s of %d bytes".formatted(op, tgbBytes);
  }

  /** Work of a side. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** What is left to do after it. */
  @FunctionalInterface
  private interface Tidying {
    void run() throws IOException;
  }

  private static void repeat(long times, Work work) throws IOException, InterruptedException {
    for (long i = 0; i < times; i++) {
      work.run();
    }
  }

  private static Duel.Side side(Work work, Tidying tidying) {
    return new Duel.Side() {
      @Override
      public void run() throws IOException, InterruptedException {
        work.run();
      }

      @Override
      public void tidy() throws IOException {
        tidying.run();
      }
    };
  }
}
