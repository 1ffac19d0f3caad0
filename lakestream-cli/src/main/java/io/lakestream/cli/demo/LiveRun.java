// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.Namespace;
import io.lakestream.cli.CommandFailed;
import io.lakestream.cli.StatusLine;
import io.lakestream.cli.Units;
import io.lakestream.cli.demo.Child.Kind;
import io.lakestream.cli.process.Patience;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.SealMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of the demo in which processes run: starts them, kills some, starts these again, seals
 * the stream when all producers are done, and ends when all ranks are.
 */
final class LiveRun {
  private static final long POLL_MILLIS = 50;

  /** Time for a signal that a child got too, from the terminal, to end the demo by itself. */
  private static final long SIGNAL_MILLIS = 500;

  private final Namespace stream;
  private final Stage stage;
  private final List<Child> children;
  private final KillPlan plan;
  private final StatusLine status;
  private final List<Kill> kills = new ArrayList<>();
  private final long totalSteps;
  private long startNanos;
  private long firstNanos;
  private long sealedNanos;

  /**
   * What happened.
   *
   * @param kills who was killed, in order
   * @param seconds from the start of the processes to the end of the last one
   * @param writingSeconds from the first step to the seal
   * @param readingSeconds from the first step to the end of the last rank
   */
  record Outcome(List<Kill> kills, double seconds, double writingSeconds, double readingSeconds) {
    Outcome {
      kills = List.copyOf(kills);
    }
  }

  LiveRun(Namespace stream, Stage stage, List<Child> children, KillPlan plan, StatusLine status) {
    this.stream = stream;
    this.stage = stage;
    this.children = List.copyOf(children);
    this.plan = plan;
    this.status = status;
    this.totalSteps = Kind.PRODUCER.of(children).stream().mapToLong(Child::total).sum();
  }

  /**
   * Runs the processes to their end.
   *
   * @throws CommandFailed if one of them fails, or none makes progress any more
   */
  Outcome run() throws IOException, InterruptedException {
    startNanos = System.nanoTime();
    Patience patience = new Patience(stage.folder());
    for (Child child : children) {
      child.start();
    }
    while (!children.stream().allMatch(Child::hasFinished)) {
      requireHealth();
      patience.observe(observe());
      killIfDue();
      sealIfDue();
      Thread.sleep(POLL_MILLIS);
    }
    long endNanos = System.nanoTime();
    return new Outcome(
        kills,
        seconds(startNanos, endNanos),
        seconds(firstNanos, sealedNanos),
        seconds(firstNanos, endNanos));
  }

  private void requireHealth() throws IOException, InterruptedException {
    for (Child child : children) {
      if (child.hasFailed()) {
        Thread.sleep(SIGNAL_MILLIS);
        throw new CommandFailed(child.lastWords());
      }
    }
  }

  /** Shows how far everybody is, which is what all have written and read. */
  private long observe() {
    long written = sum(Kind.PRODUCER);
    long read = sum(Kind.RANK);
    if (written > 0 && firstNanos == 0) {
      firstNanos = System.nanoTime();
    }
    status.show(written == 0 ? "starting the processes" : state(written));
    return written + read;
  }

  private String state(long written) {
    return "%.0f s: %s; wrote %d of %s, read %d; %s, %s at work"
        .formatted(
            seconds(startNanos, System.nanoTime()),
            Units.count(kills.size(), "kill"),
            written,
            Units.count(totalSteps, "step"),
            Kind.RANK.of(children).stream().mapToLong(Child::progress).min().orElse(0),
            atWork(Kind.PRODUCER, "producer"),
            atWork(Kind.RANK, "rank"));
  }

  private String atWork(Kind kind, String noun) {
    long count = kind.of(children).stream().filter(child -> !child.hasFinished()).count();
    return Units.count(count, noun);
  }

  private long sum(Kind kind) {
    return kind.of(children).stream().mapToLong(Child::progress).sum();
  }

  private void killIfDue() throws IOException, InterruptedException {
    double share = (double) sum(Kind.PRODUCER) / Math.max(1, totalSteps);
    Optional<Child> victim = plan.victim(share, children);
    if (victim.isEmpty()) {
      return;
    }
    Thread.sleep(plan.delayMillis());
    if (victim.get().isMidway()) {
      kill(victim.get());
    }
  }

  private void kill(Child child) throws IOException, InterruptedException {
    child.kill();
    child.join();
    if (child.hasFinished()) {
      return; // It was faster than the signal.
    }
    plan.struck();
    Kill kill =
        new Kill(
            child,
            child.lives().size() - 1,
            seconds(startNanos, System.nanoTime()),
            child.progress());
    kills.add(kill);
    status.say(
        "%.1f s: killed %s after %d of %s; starting it again"
            .formatted(
                kill.seconds(),
                child.name(),
                kill.reached(),
                Units.count(child.total(), child.kind() == Kind.PRODUCER ? "batch" : "step")));
    child.start();
  }

  private void sealIfDue() throws InterruptedException {
    if (sealedNanos == 0 && Kind.PRODUCER.of(children).stream().allMatch(Child::hasFinished)) {
      stream.seal(SealMode.WHEN_ALONE);
      sealedNanos = System.nanoTime();
    }
  }

  private static double seconds(long fromNanos, long toNanos) {
    return (toNanos - fromNanos) / 1e9;
  }
}
