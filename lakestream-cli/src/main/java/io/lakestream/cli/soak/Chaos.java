// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.bench.WorkFolder;
import io.lakestream.cli.CommandFailed;
import io.lakestream.cli.StatusLine;
import io.lakestream.cli.Units;
import io.lakestream.cli.process.Events;
import io.lakestream.cli.process.Patience;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.SealMode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The part of the soak in which processes run: everybody gets to work, is struck for a time, is let
 * finish, and the stream is sealed.
 */
final class Chaos {
  private static final long POLL_MILLIS = 50;

  /** How often the stream is looked at, which costs requests and reads the ranks' checkpoints. */
  private static final long LOOK_NANOS = 250_000_000L;

  private final SoakSettings settings;
  private final Namespace stream;
  private final Stage stage;
  private final Crew crew;
  private final Watch watch;
  private final StatusLine status;
  private final Patience patience;
  private final long startNanos = System.nanoTime();
  private long lookedNanos = startNanos;

  Chaos(SoakSettings settings, Namespace stream, Stage stage, Crew crew, StatusLine status) {
    this.settings = settings;
    this.stream = stream;
    this.stage = stage;
    this.crew = crew;
    this.watch = new Watch(stream);
    this.status = status;
    this.patience = new Patience(stage.folder());
  }

  /**
   * Runs it.
   *
   * @throws CommandFailed if a process ends that should not, none makes progress any more, a step
   *     was reclaimed that is needed, or the disk is getting full
   */
  void run() throws IOException, InterruptedException {
    crew.start();
    await("starting", this::isAtWork);
    strikeAll();
    crew.heal(watch.summary().boundary());
    watch.keepPin(crew.jobs());
    await("draining producers", crew::hasDrained);
    seal();
    await("letting ranks finish", crew::hasFinished);
    watch.look(crew.jobs());
    crew.dismissReclaimers();
  }

  /** The stream as it was when it was last looked at. */
  StreamView.Summary summary() {
    return watch.summary();
  }

  /** Seconds since the start. */
  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private void seal() throws InterruptedException {
    boolean unused =
        Requests.repeat(
            () -> {
              stream.seal(SealMode.WHEN_ALONE);
              return true;
            });
  }

  private boolean isAtWork() {
    return crew.producers().stream()
            .allMatch(producer -> Events.last(producer.current().events(), "opened").isPresent())
        && crew.jobs().stream()
            .flatMap(job -> job.ranks().stream())
            .allMatch(rank -> Events.last(rank.current().events(), "step").isPresent());
  }

  /**
   * Nobody is struck while nothing moves: on a machine that is too slow for the plan, a job would
   * be killed again and again before it had read up to its next checkpoint.
   */
  private void strikeAll() throws IOException, InterruptedException {
    ArrayDeque<Strike> strikes = new ArrayDeque<>(StrikePlan.of(settings));
    long beginNanos = System.nanoTime();
    long millis = 0;
    long restedMillis = 0;
    while (millis < settings.chaosMillis()) {
      round("%d of %d s".formatted(millis / 1_000, settings.chaosMillis() / 1_000));
      crew.wake(watch.summary().boundary());
      long nowMillis = (System.nanoTime() - beginNanos) / 1_000_000;
      if (patience.isWaiting()) {
        restedMillis += nowMillis - millis;
      } else if (!strikes.isEmpty() && strikes.element().atMillis() + restedMillis <= nowMillis) {
        crew.strike(strikes.remove(), watch.summary().version());
      }
      watch.movePin(crew.jobs());
      millis = nowMillis;
    }
  }

  private void await(String what, BooleanSupplier isReached)
      throws IOException, InterruptedException {
    while (!isReached.getAsBoolean()) {
      round(what);
    }
  }

  private void round(String what) throws IOException, InterruptedException {
    crew.tend();
    long nowNanos = System.nanoTime();
    if (nowNanos - lookedNanos > LOOK_NANOS) {
      lookedNanos = nowNanos;
      Map<String, Long> saved = watch.look(crew.jobs());
      long savedByAll = saved.values().stream().mapToLong(Long::longValue).min().orElseThrow();
      patience.observe(
          watch.summary().nextStep() + saved.values().stream().mapToLong(s -> s).sum());
      requireRoom();
      status.show(what + ": " + state(savedByAll));
    }
    Thread.sleep(POLL_MILLIS);
  }

  private String state(long savedByAll) {
    return "%s, %s, %d asleep; %s, of which %s saved by all and %s reclaimed"
        .formatted(
            Units.count(crew.tally().kills(), "kill"),
            Units.count(crew.tally().pauses(), "stop"),
            crew.asleep(),
            Units.count(watch.summary().nextStep(), "step"),
            Units.count(savedByAll),
            Units.count(watch.summary().firstStep()));
  }

  private void requireRoom() throws IOException {
    long freeBytes = Files.getFileStore(stage.folder()).getUsableSpace();
    if (freeBytes < WorkFolder.FREE_BYTES_MIN) {
      throw new CommandFailed(
          "the disk of %s has %s free, and %s must stay: free some space, or choose another folder"
                  .formatted(
                      stage.folder(),
                      Units.bytes(freeBytes),
                      Units.bytes(WorkFolder.FREE_BYTES_MIN))
              + " (--at)");
    }
  }
}
