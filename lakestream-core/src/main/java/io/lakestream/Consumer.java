// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.consume.PlanLoop;
import io.lakestream.consume.PlannedStep;
import io.lakestream.consume.Position;
import io.lakestream.consume.Prefetch;
import io.lakestream.consume.Reshape;
import io.lakestream.consume.StepPlanner;
import io.lakestream.consume.StepReader;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.SkipSet;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.ConsumerMetrics;
import io.lakestream.model.Cursor;
import io.lakestream.model.DataLoss;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Tasks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads one rank's part of a stream, step after step.
 *
 * <p>Every rank sees the same steps in the same order; each reads only its slice, ahead of the
 * caller. The {@link #cursor} counts what was handed out, so a rank that saves it with a checkpoint
 * and seeks to it later reads every step exactly once as far as the model is concerned (paper
 * §5.3).
 *
 * <p>A failure of a background thread is thrown by the {@link #next} that comes to its step. For
 * use by one thread.
 */
public final class Consumer implements AutoCloseable {
  private final ManifestLog log;
  private final Reshape reshape;
  private final Environment environment;
  private final ConsumerSettings settings;
  private final StepReader reader;
  private final List<Tasks.Task> tasks = new ArrayList<>();
  private Prefetch prefetch;
  private Cursor cursor;
  private ConsumerMetrics metrics = new ConsumerMetrics(0, 0, 0);
  private boolean isStoreDown;
  private boolean isClosed;

  private Consumer(
      ManifestLog log, Reshape reshape, ConsumerSettings settings, Environment environment) {
    this.log = log;
    this.reshape = reshape;
    this.environment = environment;
    this.settings = settings;
    this.reader = new StepReader(log, reshape);
    this.prefetch = new Prefetch(environment.tasks().monitor(), settings);
    this.cursor = Cursor.start(log.namespace());
  }

  /**
   * Opens a consumer at a cursor.
   *
   * @param mesh the mesh that the stream was written for
   * @param topology the rank's place in its job
   * @param start where to start, such as {@link Cursor#start}
   * @throws InvalidRequest if the job's mesh is not the stream's and the settings' remap does not
   *     lead from one to the other, or the cursor is of another namespace, ahead of the stream,
   *     beyond its end, or where no step of the job begins, or if the start whose skips are
   *     honoured is ahead of the stream, or part of a step of the job is to be skipped
   * @throws StepReclaimed if the stream does not have the cursor's step any more
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails
   */
  static Consumer open(
      ManifestLog log,
      Mesh mesh,
      Topology topology,
      Cursor start,
      ConsumerSettings settings,
      Environment environment)
      throws InterruptedException {
    Reshape reshape = new Reshape(settings.remap(), mesh, topology, start.step());
    Consumer consumer = new Consumer(log, reshape, settings, environment);
    consumer.seek(start);
    return consumer;
  }

  /**
   * The next step, waiting for it if the stream has no more yet.
   *
   * @return empty at the end of the stream
   * @throws StoreUnavailable if the store fails; the next call tries again
   * @throws io.lakestream.model.CorruptObject if the step's bytes are not those that were written
   * @throws DataLoss if they are gone
   * @throws StepReclaimed if the step was reclaimed, since no checkpoint promised to need it
   */
  public Optional<RankBatch> next() throws InterruptedException {
    requireOpen();
    if (isStoreDown) {
      seek(cursor);
    }
    long start = environment.clock().nanoTime();
    Optional<Prefetch.Slot> slot;
    try {
      slot = prefetch.next();
    } catch (StoreUnavailable e) {
      isStoreDown = true;
      throw e;
    }
    slot.ifPresent(read -> count(read, environment.clock().nanoTime() - start));
    return slot.map(Prefetch.Slot::batch);
  }

  private void count(Prefetch.Slot read, long waitedNanos) {
    PlannedStep step = read.planned();
    cursor = new Cursor(log.namespace(), step.version(), step.nextStep(), step.nextPart());
    metrics =
        new ConsumerMetrics(
            metrics.steps() + 1,
            metrics.bytes() + read.batch().payload().remaining(),
            metrics.waitNanos() + waitedNanos);
  }

  /** Where the rank stands: behind the last step that was handed out. Any time, without effect. */
  public Cursor cursor() {
    return cursor;
  }

  /** The rank's place in its job. */
  public Topology topology() {
    return reshape.job();
  }

  /** What the consumer did so far. */
  public ConsumerMetrics metrics() {
    return metrics;
  }

  /**
   * Goes on at a cursor, or behind the steps to be skipped that it stands in. Where a step of the
   * job takes several of the stream, these are counted from where the consumer was opened.
   *
   * @throws InvalidRequest if the cursor is of another namespace, ahead of the stream, beyond its
   *     end, or where no step of the job begins, or if the start whose skips are honoured is ahead
   *     of the stream, or part of a step of the job is to be skipped
   * @throws StepReclaimed if the stream does not have its step any more
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails; the consumer stays where it was
   */
  public void seek(Cursor target) throws InterruptedException {
    requireOpen();
    Position position = reshape.start(target);
    try {
      StepLocator locator = StepLocator.open(log, target.version());
      checkNamespace(target, locator);
      checkReach(target, locator.header());
      SkipSet skips = skips(locator);
      reshape.requireWholeSteps(skips, target.step(), locator.header());
      StepPlanner planner = new StepPlanner(log, locator, reshape, skips);
      checkContent(planner, position);
      restart(planner, target.in(log.namespace()), position);
    } catch (IOException e) {
      throw new StoreUnavailable("the stream could not be opened: " + e.getMessage(), e);
    }
  }

  /** A fork takes the cursors of its sources, up to the step where it left each. */
  private void checkNamespace(Cursor target, StepLocator locator) throws IOException {
    if (target.namespace().equals(log.namespace())) {
      return;
    }
    for (ForkSource source : locator.tables().sources()) {
      if (target.namespace().equals(source.uuid())) {
        boolean isBefore =
            target.step() < source.endStep()
                || (target.step() == source.endStep() && target.part() == 0);
        if (isBefore) {
          return;
        }
        throw new InvalidRequest(
            ("the cursor stands at %s of namespace %s, which this one left at step %d; go on from a"
                    + " checkpoint before that")
                .formatted(
                    new Position(target.step(), target.part()), source.uuid(), source.endStep()));
      }
    }
    throw new InvalidRequest(
        "the cursor is of namespace %s, this one is %s: it was saved by another run"
            .formatted(target.namespace(), log.namespace()));
  }

  /** What the settings' version has of skips, by the head, which has them of all versions. */
  private SkipSet skips(StepLocator locator) throws IOException {
    long version = settings.skipsUpTo();
    if (version > locator.header().version()) {
      throw new InvalidRequest(
          ("the job was started at version %d, ahead of the stream's %d: was the store restored to"
                  + " an earlier state?")
              .formatted(version, locator.header().version()));
    }
    return version == 0 ? SkipSet.NONE : SkipSet.of(locator.tables().skips(), version);
  }

  /** What is wrong with a remap is said before anything is read, as far as the stream goes. */
  private void checkContent(StepPlanner planner, Position position) throws IOException {
    if (!reshape.isWhole()) {
      Optional<PlannedStep> sample = planner.sample(position);
      if (sample.isPresent()) {
        reader.check(sample.get());
      }
    }
  }

  /**
   * Goes on at a step; one that is not there yet is waited for.
   *
   * @throws InvalidRequest if the step is beyond the sealed end, or where no step of the job
   *     begins, or if the start whose skips are honoured is ahead of the stream, or part of a step
   *     of the job is to be skipped
   * @throws StepReclaimed if the stream does not have the step any more
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails; the consumer stays where it was
   */
  public void seek(long step) throws InterruptedException {
    seek(new Cursor(log.namespace(), 0, step, 0));
  }

  private static void checkReach(Cursor target, ManifestHeader header) {
    if (target.step() < header.firstStep()) {
      throw new StepReclaimed(target.step(), header.firstStep());
    }
    boolean isPartial = target.part() > 0;
    if (target.step() + (isPartial ? 1 : 0) > header.nextStep() && header.isSealed()) {
      throw new InvalidRequest(
          "step %d is beyond the end: the stream is sealed after step %d"
              .formatted(target.step(), header.nextStep() - 1));
    }
    if (target.version() > header.version()
        || (target.version() > 0 && target.step() > header.nextStep())) {
      throw new InvalidRequest(
          ("the cursor (version %d, step %d) is ahead of the stream (version %d, %d steps): was the"
                  + " store restored to an earlier state?")
              .formatted(target.version(), target.step(), header.version(), header.nextStep()));
    }
  }

  private void restart(StepPlanner planner, Cursor target, Position position)
      throws InterruptedException {
    stopTasks();
    isStoreDown = false;
    cursor = target;
    Prefetch fresh = new Prefetch(environment.tasks().monitor(), settings);
    prefetch = fresh;
    PlanLoop loop = new PlanLoop(fresh, planner, settings, position);
    startTask("plan", loop::run);
    int fetchers = Math.min(settings.fetchesInFlightMax(), settings.prefetchSteps());
    for (int i = 0; i < fetchers; i++) {
      startTask("fetch-" + i, () -> fetchAll(fresh));
    }
  }

  /** The body of a background thread. */
  @FunctionalInterface
  private interface Work {
    void run() throws InterruptedException;
  }

  private void startTask(String name, Work work) {
    Prefetch own = prefetch;
    Runnable body =
        () -> {
          try {
            work.run();
          } catch (InterruptedException e) {
            own.stop();
          }
        };
    tasks.add(environment.tasks().start("lakestream-" + reshape.job().cell() + "-" + name, body));
  }

  private void fetchAll(Prefetch from) throws InterruptedException {
    Optional<Prefetch.Slot> slot = from.take();
    while (slot.isPresent()) {
      try {
        from.settle(slot.get(), reader.read(slot.get().planned()));
      } catch (IOException | RuntimeException | Error e) {
        from.fail(slot.get(), e);
      }
      slot = from.take();
    }
  }

  /** Joins the consumer's threads. Closing again does nothing. */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      stopTasks();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stopTasks() throws InterruptedException {
    prefetch.stop();
    tasks.forEach(Tasks.Task::interrupt);
    for (Tasks.Task task : tasks) {
      task.join();
    }
    tasks.clear();
  }

  private void requireOpen() {
    if (isClosed) {
      throw new InvalidRequest("the consumer is closed");
    }
  }
}
