// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.runtime.Monitor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The steps fetched ahead, and what the consumer's threads tell each other. Steps are planned in
 * order, fetched in any order, and handed out in order; what failed fails its own step, after all
 * steps before it were handed out. Safe for use by several threads.
 */
public final class Prefetch {
  private final Monitor monitor;
  private final ConsumerSettings settings;
  private final ArrayDeque<Slot> slots = new ArrayDeque<>();
  private final ArrayDeque<Slot> unfetched = new ArrayDeque<>();
  private int stepsTaken;
  private long bytesTaken;
  private boolean isEnded;
  private boolean isStopped;

  /** A planned step: empty, then with a batch or a failure. */
  public static final class Slot {
    private final long step;
    private final @Nullable PlannedStep planned;
    private @Nullable RankBatch batch;
    private @Nullable Throwable failure;

    private Slot(long step, @Nullable PlannedStep planned) {
      this.step = step;
      this.planned = planned;
    }

    public PlannedStep planned() {
      PlannedStep present = planned;
      if (present == null) {
        throw new AssertionError("step %d was never planned".formatted(step));
      }
      return present;
    }

    public RankBatch batch() {
      RankBatch present = batch;
      if (present == null) {
        throw new AssertionError("step %d was never fetched".formatted(step));
      }
      return present;
    }

    private boolean isSettled() {
      return batch != null || failure != null;
    }

    /** What it holds, or will hold as far as the plan says. */
    private long bytes() {
      if (batch != null) {
        return batch.payload().remaining();
      }
      return planned == null ? 0 : planned.bytes();
    }
  }

  public Prefetch(Monitor monitor, ConsumerSettings settings) {
    this.monitor = monitor;
    this.settings = settings;
  }

  /**
   * Waits until more steps should be planned: fewer than a round of them are left to be fetched, so
   * that no fetch waits for planning, and one could be fetched.
   *
   * @return false if the consumer stops
   */
  public boolean awaitDemand() throws InterruptedException {
    return monitor.when(
        () -> isStopped || (unfetched.size() < PlanLoop.roundSteps(settings) && hasRoom()),
        () -> !isStopped);
  }

  private boolean hasRoom() {
    return stepsTaken < settings.prefetchSteps() && bytesTaken < settings.prefetchBytes();
  }

  private boolean isRoomFor(Slot slot) {
    boolean isWithinBytes =
        stepsTaken == 0 || bytesTaken + slot.bytes() <= settings.prefetchBytes();
    return stepsTaken < settings.prefetchSteps() && isWithinBytes;
  }

  /** Waits, unless the consumer stops. */
  public void pause(long nanos) throws InterruptedException {
    boolean ignored = monitor.pauseUntil(() -> isStopped, nanos);
  }

  /** Plans a step. */
  public void plan(PlannedStep step) {
    Slot slot = new Slot(step.tgb(), step);
    monitor.change(
        () -> {
          slots.add(slot);
          unfetched.add(slot);
        });
  }

  /** Nothing comes after what is planned. */
  public void end() {
    monitor.change(() -> isEnded = true);
  }

  /** A failure comes after what is planned. */
  public void endWith(long step, Throwable cause) {
    Slot slot = new Slot(step, null);
    slot.failure = cause;
    monitor.change(() -> slots.add(slot));
  }

  /** Waits for a step to fetch and for room for it; empty if the consumer stops. */
  public Optional<Slot> take() throws InterruptedException {
    return monitor.when(
        () -> isStopped || (!unfetched.isEmpty() && isRoomFor(unfetched.element())),
        () -> isStopped ? Optional.empty() : Optional.of(taken(unfetched.remove())));
  }

  private Slot taken(Slot slot) {
    stepsTaken++;
    bytesTaken += slot.bytes();
    return slot;
  }

  /** A step was fetched. */
  public void settle(Slot slot, RankBatch batch) {
    monitor.change(
        () -> {
          bytesTaken -= slot.bytes();
          slot.batch = batch;
          bytesTaken += slot.bytes();
        });
  }

  /** A step cannot be fetched. */
  public void fail(Slot slot, Throwable cause) {
    monitor.change(() -> slot.failure = cause);
  }

  /**
   * Waits for the next step and hands it out; empty at the end.
   *
   * @throws InvalidRequest if the consumer is closed meanwhile: that is no end of the stream
   * @throws RuntimeException what the step failed with; it stays, so the next call fails too
   */
  public Optional<Slot> next() throws InterruptedException {
    return monitor.when(
        () -> isStopped || (slots.isEmpty() ? isEnded : slots.element().isSettled()),
        this::handOut);
  }

  private Optional<Slot> handOut() {
    if (isStopped) {
      throw new InvalidRequest("the consumer was closed while a step was waited for");
    }
    if (slots.isEmpty()) {
      return Optional.empty();
    }
    throwFailure(slots.element());
    Slot slot = slots.remove();
    stepsTaken--;
    bytesTaken -= slot.bytes();
    return Optional.of(slot);
  }

  private static void throwFailure(Slot slot) {
    Throwable cause = slot.failure;
    if (cause instanceof RuntimeException own) {
      throw own;
    }
    if (cause instanceof IOException io) {
      throw new StoreUnavailable(
          "step %d could not be read: %s".formatted(slot.step, io.getMessage()), io);
    }
    if (cause instanceof Error error) {
      throw error;
    }
  }

  /** Tells all threads to end. */
  public void stop() {
    monitor.change(() -> isStopped = true);
  }
}
