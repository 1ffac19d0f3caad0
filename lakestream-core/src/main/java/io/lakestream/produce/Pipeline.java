// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.produce;

import io.lakestream.commit.CommitOutcome;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.ProducerMetrics;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.policy.CommitPolicy;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.runtime.Monitor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches on their way, and what the producer's threads tell each other. Batches wait to be
 * uploaded, become durable in any order, and are published in order of seq: so those before the
 * first that is not durable are apart from the others. Safe for use by several threads.
 */
public final class Pipeline {
  private final Monitor monitor;
  private final ProducerSettings settings;
  private final ArrayDeque<PendingTgb> waiting = new ArrayDeque<>();
  private final ArrayDeque<PendingTgb> uploading = new ArrayDeque<>();
  private final ArrayDeque<PendingTgb> durable = new ArrayDeque<>();
  private long bytesInFlight;
  private int flushes;
  private boolean isHeldBack;
  private boolean isStopped;
  private @Nullable Throwable failure;
  private boolean isReported;
  private long tgbsWritten;
  private long tgbsPublished;
  private long bytesWritten;
  private long objectsPut;
  private long attempts;
  private long commits;

  public Pipeline(Monitor monitor, ProducerSettings settings) {
    this.monitor = monitor;
    this.settings = settings;
  }

  /** Waits until a batch of this size may be added. */
  public void awaitRoom(long bytes) throws InterruptedException {
    monitor.lock();
    try {
      monitor.await(() -> isOver() || hasRoom(bytes));
      requireRunning();
    } finally {
      monitor.unlock();
    }
  }

  private boolean isOver() {
    return isStopped || failure != null;
  }

  private boolean hasRoom(long bytes) {
    return unpublished() < settings.tgbsPendingMax()
        && (bytesInFlight == 0 || bytesInFlight + bytes <= settings.bytesInFlightMax());
  }

  /** Lets no batches in for a time, unless some are published, or the producer stops. */
  public void holdBack(long nanos) throws InterruptedException {
    long known = monitor.locked(() -> tgbsPublished);
    monitor.change(() -> isHeldBack = true);
    try {
      boolean ignored = monitor.pauseUntil(() -> isOver() || tgbsPublished > known, nanos);
    } finally {
      monitor.change(() -> isHeldBack = false);
    }
  }

  /** Adds the batch of the next seq. */
  public void add(PendingTgb tgb) {
    monitor.change(
        () -> {
          requireRunning();
          waiting.add(tgb);
          uploading.add(tgb);
          bytesInFlight += tgb.memoryBytes();
          tgbsWritten++;
          bytesWritten += tgb.sliceBytes();
        });
  }

  /**
   * Waits for batches to upload: consecutive ones that may share an object, or one alone.
   *
   * @return an empty list when there will be none any more
   */
  public List<PendingTgb> takeUpload() throws InterruptedException {
    return monitor.when(
        () -> isOver() || !waiting.isEmpty(), () -> isOver() ? List.of() : takeBundle());
  }

  private List<PendingTgb> takeBundle() {
    List<PendingTgb> taken = new ArrayList<>();
    long bytes = 0;
    do {
      PendingTgb next = waiting.remove();
      bytes += next.imageBytes();
      taken.add(next);
    } while (!waiting.isEmpty()
        && bytes + waiting.element().imageBytes() <= settings.bundleBytesMax());
    return taken;
  }

  /** Batches became durable; each has its place. */
  public void uploaded(List<Uploader.Durable> uploaded, int objects) {
    monitor.change(
        () -> {
          for (Uploader.Durable one : uploaded) {
            bytesInFlight -= one.tgb().memoryBytes();
            one.tgb().becomeDurable(one.location());
          }
          while (!uploading.isEmpty() && uploading.element().isDurable()) {
            durable.add(uploading.remove());
          }
          objectsPut += objects;
        });
  }

  /**
   * What a committer finds when it looks for work.
   *
   * @param tgbs durable batches that are next to be published; none if there will be none any more
   * @param isDraining whether somebody waits for their publication and for nothing else
   * @param isFull whether no more batches are let in until some are published
   */
  public record Ready(List<PendingTgb> tgbs, boolean isDraining, boolean isFull) {}

  /** Waits for durable batches at the front of the queue. */
  public Ready awaitReady() throws InterruptedException {
    return monitor.when(
        () -> isOver() || !durable.isEmpty(),
        () -> isOver() ? new Ready(List.of(), true, false) : ready());
  }

  /** Waits for a time, unless the producer stops. */
  public void pause(long nanos) throws InterruptedException {
    boolean ignored = monitor.pauseUntil(this::isOver, nanos);
  }

  /**
   * Waits for a time, for more durable batches than {@code known}, or for a flush to need it; if
   * only more batches would make an attempt due, also for there to be none.
   */
  public void awaitDue(long nanos, int known) throws InterruptedException {
    boolean ignored =
        monitor.pauseUntil(
            () ->
                isOver()
                    || isDraining()
                    || durable.size() > known
                    || (nanos == CommitPolicy.UNTIL_MORE && isFull()),
            nanos);
  }

  private Ready ready() {
    return new Ready(List.copyOf(durable), isDraining(), isFull());
  }

  private boolean isFull() {
    return isHeldBack || unpublished() >= settings.tgbsPendingMax();
  }

  /** To publish a part of what is flushed would not end the wait, but slow down the rest. */
  private boolean isDraining() {
    return flushes > 0 && uploading.isEmpty();
  }

  private int unpublished() {
    return uploading.size() + durable.size();
  }

  /** The batches of seqs below {@code nextSeq} that do not count as published yet. */
  public List<PendingTgb> unpublishedBelow(long nextSeq) {
    return monitor.locked(() -> durable.stream().filter(tgb -> tgb.seq() < nextSeq).toList());
  }

  /** An attempt ended; all seqs below {@code nextSeq} are published. */
  public void attempted(long nextSeq, CommitOutcome outcome) {
    monitor.change(
        () -> {
          attempts += outcome instanceof CommitOutcome.Deferred ? 0 : 1;
          commits += outcome instanceof CommitOutcome.Committed ? 1 : 0;
          while (!durable.isEmpty() && durable.element().seq() < nextSeq) {
            PendingTgb unused = durable.remove();
            tgbsPublished++;
          }
        });
  }

  /** Makes everything due once it is durable, and waits until all batches so far are published. */
  public void flush() throws InterruptedException {
    monitor.lock();
    try {
      long target = tgbsWritten;
      flushes++;
      try {
        monitor.await(() -> isOver() || tgbsPublished >= target);
      } finally {
        flushes--;
      }
      throwFailure();
      if (tgbsPublished < target) {
        requireRunning();
      }
    } finally {
      monitor.unlock();
    }
  }

  /** A thread of the producer failed: every call from now on says so. */
  public void fail(Throwable cause) {
    monitor.change(() -> failure = failure == null ? cause : failure);
  }

  /** Tells all threads to end. */
  public void stop() {
    monitor.change(() -> isStopped = true);
  }

  public boolean isFailed() {
    return monitor.locked(() -> failure != null);
  }

  /** Throws what ended the producer's threads, unless a caller was told before. */
  public void throwUnreportedFailure() {
    monitor.change(
        () -> {
          if (!isReported) {
            throwFailure();
          }
        });
  }

  public ProducerMetrics metrics() {
    return monitor.locked(
        () ->
            new ProducerMetrics(
                tgbsWritten, tgbsPublished, bytesWritten, objectsPut, attempts, commits));
  }

  /** A producer that was closed meanwhile must not seem to take or to have published anything. */
  private void requireRunning() {
    throwFailure();
    if (isStopped) {
      throw new InvalidRequest("the producer was closed by another thread");
    }
  }

  /** Throws what ended the producer's threads, if anything did. The caller holds the lock. */
  private void throwFailure() {
    Throwable cause = failure;
    if (cause == null) {
      return;
    }
    isReported = true;
    if (cause instanceof RuntimeException own) {
      throw own;
    }
    if (cause instanceof IOException io) {
      throw new StoreUnavailable("the producer's store failed: " + io.getMessage(), io);
    }
    if (cause instanceof Error error) {
      throw error;
    }
    throw new AssertionError("a thread threw what it cannot throw", cause);
  }
}
