// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.Namespace;
import io.lakestream.cli.CommandFailed;
import io.lakestream.cli.process.ChildProcess;
import io.lakestream.cli.process.Stage;
import io.lakestream.cli.soak.Strike.Action;
import io.lakestream.cli.soak.Strike.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Everybody who is struck: producers, the ranks of jobs, and reclaimers. Whoever dies is started
 * again; whoever ends by itself in a way that nothing explains ends the soak. For use by one
 * thread.
 */
final class Crew {
  /** Few, so that a writer that sleeps for seconds finds all that it knew deleted. */
  private static final int VERSIONS_KEPT = 8;

  /** More than is written while the longest nap of a rank lasts; bounds what is stored. */
  private static final int LAG_MAX = 2_000;

  /** Slower than processes on two cores can read. */
  private static final int PACE_MILLIS = 40;

  /** A sleeper whose versions do not die, as everybody waits for it, is continued nevertheless. */
  private static final long SLEEP_NANOS_MAX = 12_000_000_000L;

  /** Far more than chance explains on a file system that works. */
  private static final long RETRIES_MAX = 100;

  /** Time for a signal that a child got too, from the terminal, to end the soak by itself. */
  private static final long SIGNAL_MILLIS = 500;

  private final SoakSettings settings;
  private final String place;
  private final Path drain;
  private final List<Actor> producers = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final List<Actor> reclaimers = new ArrayList<>();
  private final List<Sleeper> sleepers = new ArrayList<>();
  private final Tally tally = new Tally();
  private boolean isDraining;

  /**
   * A process that is stopped.
   *
   * @param fromNanos when it was
   * @param pauseMillis how long it sleeps at least
   * @param version the head at that time, or 0 if it need not die before the process goes on
   */
  private record Sleeper(ChildProcess process, long fromNanos, long pauseMillis, long version) {
    boolean isDue(long nowNanos, long boundary) {
      long sleptNanos = nowNanos - fromNanos;
      return sleptNanos >= pauseMillis * 1_000_000
          && (boundary >= version || sleptNanos >= SLEEP_NANOS_MAX);
    }
  }

  Crew(SoakSettings settings, Namespace stream, Stage stage) throws IOException {
    this.settings = settings;
    this.place = stream.place();
    Path folder = stage.folder("processes");
    this.drain = stage.folder().resolve("drain");
    for (int i = 0; i < settings.producers(); i++) {
      producers.add(new Actor(Kind.PRODUCER, "producer-" + i, stage, folder));
    }
    for (int i = 0; i < settings.jobs(); i++) {
      jobs.add(new Job(stream, "job-" + i, stage, folder));
    }
    for (int i = 0; i < settings.reclaimers(); i++) {
      reclaimers.add(new Actor(Kind.RECLAIMER, "reclaimer-" + i, stage, folder));
    }
  }

  List<Actor> producers() {
    return producers;
  }

  List<Job> jobs() {
    return jobs;
  }

  List<Actor> reclaimers() {
    return reclaimers;
  }

  /** What happened so far. */
  Tally tally() {
    return tally;
  }

  /** How many processes sleep. */
  int asleep() {
    return sleepers.size();
  }

  /** The file that tells producers to come to their end. */
  Path drain() {
    return drain;
  }

  /** Starts everybody, jobs first: without their promises producers wait. */
  void start() throws IOException, InterruptedException {
    for (Job job : jobs) {
      job.start();
    }
    for (Actor producer : producers) {
      startProducer(producer);
    }
    for (Actor reclaimer : reclaimers) {
      startReclaimer(reclaimer);
    }
  }

  private void startProducer(Actor producer) throws IOException {
    boolean isOdd = producers.indexOf(producer) % 2 == 1;
    List<String> arguments = new ArrayList<>(List.of("soak", "produce", place));
    arguments.addAll(List.of("--producer", producer.name()));
    arguments.addAll(List.of("--policy", isOdd ? "naive" : "dac"));
    arguments.addAll(List.of("--pace", "" + PACE_MILLIS, "--max-lag", "" + LAG_MAX));
    arguments.addAll(List.of("--drain", drain.toString()));
    producer.start(arguments);
  }

  private void startReclaimer(Actor reclaimer) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("reclaim", place, "--json"));
    arguments.addAll(List.of("--watch", "--every", "1", "--keep-versions", "" + VERSIONS_KEPT));
    reclaimer.start(arguments);
  }

  /**
   * Strikes somebody, unless he is dead at the moment, or asleep and not to be killed.
   *
   * @param version the head
   */
  void strike(Strike strike, long version) throws IOException, InterruptedException {
    Actor victim = victim(strike);
    ChildProcess process = victim.current().process();
    if (!process.isAlive() || (process.isPaused() && strike.action() != Action.KILL)) {
      return;
    }
    if (strike.action() == Action.KILL) {
      kill(strike, victim);
      return;
    }
    process.pause();
    if (!process.isPaused()) {
      return; // It was gone before.
    }
    long passing = strike.kind() == Kind.RANK ? 0 : version;
    sleepers.add(new Sleeper(process, System.nanoTime(), strike.pauseMillis(), passing));
    tally.paused(strike.kind());
    if (strike.action() == Action.REPLACE) {
      tally.replaced();
      startProducer(victim);
    }
  }

  private Actor victim(Strike strike) {
    return switch (strike.kind()) {
      case PRODUCER -> producers.get(strike.index());
      case RECLAIMER -> reclaimers.get(strike.index());
      case RANK -> {
        int ranks = settings.mesh().cells();
        yield jobs.get(strike.index() / ranks).ranks().get(strike.index() % ranks);
      }
    };
  }

  private void kill(Strike strike, Actor victim) throws IOException, InterruptedException {
    victim.current().process().kill();
    victim.current().process().join();
    tally.killed(strike.kind());
    switch (strike.kind()) {
      case PRODUCER -> startProducer(victim);
      case RECLAIMER -> startReclaimer(victim);
      case RANK -> rollBack(jobs.get(strike.index() / settings.mesh().cells()));
    }
  }

  private void rollBack(Job job) throws IOException, InterruptedException {
    job.endRanks();
    // As long as they are the current ones: what excuses those that are left over is no excuse.
    boolean unused = settle(job);
    job.startAgain();
    tally.rolledBack();
  }

  /** Continues the sleepers that have slept for long enough, by a boundary. */
  void wake(long boundary) throws IOException, InterruptedException {
    for (Sleeper sleeper : List.copyOf(sleepers)) {
      if (!sleeper.process().isPaused()) {
        sleepers.remove(sleeper); // Killed in its sleep.
      } else if (sleeper.isDue(System.nanoTime(), boundary)) {
        wake(sleeper, boundary);
      }
    }
  }

  private void wake(Sleeper sleeper, long boundary) throws IOException, InterruptedException {
    sleepers.remove(sleeper);
    sleeper.process().resume();
    if (sleeper.version() > 0 && boundary >= sleeper.version()) {
      tally.outlived();
    }
  }

  /** Continues everybody, and lets producers come to their end. */
  void heal(long boundary) throws IOException, InterruptedException {
    for (Sleeper sleeper : List.copyOf(sleepers)) {
      wake(sleeper, boundary);
    }
    Files.writeString(drain, "");
    isDraining = true;
  }

  /**
   * Starts whoever has died, or was told to look again.
   *
   * @throws CommandFailed if somebody ended as nobody should
   */
  void tend() throws IOException, InterruptedException {
    for (Actor producer : producers) {
      for (Actor.Life life : producer.ended()) {
        settle(Kind.PRODUCER, life, true);
      }
      if (!producer.isAlive() && !producer.isDone()) {
        startProducer(producer);
      }
    }
    for (Actor reclaimer : reclaimers) {
      for (Actor.Life life : reclaimer.ended()) {
        settle(Kind.RECLAIMER, life, false);
      }
    }
    for (Job job : jobs) {
      tend(job);
    }
  }

  private void tend(Job job) throws IOException, InterruptedException {
    if (settle(job)) {
      rollBack(job);
    }
  }

  /** Takes note of a job's lives that have ended; whether it has to start again for one. */
  private boolean settle(Job job) throws IOException, InterruptedException {
    boolean isBroken = false;
    for (Actor rank : job.ranks()) {
      for (Actor.Life life : rank.ended()) {
        boolean isCurrent = life.equals(rank.current());
        settle(Kind.RANK, life, !isCurrent);
        isBroken |= isCurrent && life.isEnded(End.AGAIN);
      }
    }
    return isBroken;
  }

  /**
   * Takes note of a life that has ended.
   *
   * @param mayBeFenced whether another life may have taken its place
   */
  private void settle(Kind kind, Actor.Life life, boolean mayBeFenced)
      throws IOException, InterruptedException {
    if (life.process().isKilled()) {
      return;
    }
    if (mayBeFenced && life.isEnded(End.FENCED)) {
      tally.fenced(kind);
    } else if (mayBeFenced && kind == Kind.RANK && life.isEnded(End.RECLAIMED)) {
      tally.fenced(kind);
    } else if (kind != Kind.RECLAIMER && life.isEnded(End.AGAIN) && tally.retries() < RETRIES_MAX) {
      tally.again();
    } else if (!(isDraining && kind != Kind.RECLAIMER && life.isEnded(End.DONE))) {
      Thread.sleep(SIGNAL_MILLIS);
      throw new CommandFailed(life.process().lastWords());
    }
  }

  /** Whether all producers have come to their end, and nobody of them sleeps or runs. */
  boolean hasDrained() {
    return producers.stream().allMatch(producer -> producer.isDone() && !producer.isAlive());
  }

  /** Whether all ranks have come to the end of the stream, and nobody is left over. */
  boolean hasFinished() {
    return jobs.stream()
        .flatMap(job -> job.ranks().stream())
        .allMatch(rank -> rank.current().process().hasFinished() && !rank.isAlive());
  }

  /** Ends the reclaimers. */
  void dismissReclaimers() throws InterruptedException {
    for (Actor reclaimer : reclaimers) {
      reclaimer.current().process().kill();
      reclaimer.current().process().join();
    }
  }
}
