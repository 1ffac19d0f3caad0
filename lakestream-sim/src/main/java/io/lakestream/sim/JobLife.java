// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Lifecycle;
import io.lakestream.Namespace;
import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.Generation;
import io.lakestream.model.Mesh;
import io.lakestream.model.Pin;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The launcher of a training job. Each life of it is a start of the job, at an older checkpoint or
 * where its ranks stand; ranks of the start before are killed or left over.
 */
final class JobLife extends Life {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Chances chances;
  private final ConsumerSettings settings;
  private final Consumer<Life> supervisor;
  private final Job job;
  private List<RankLife> ranks = List.of();
  private OptionalLong refusedBelow = OptionalLong.empty();
  private boolean isDone;

  /**
   * @param supervisor keeps the ranks running
   */
  JobLife(
      World world,
      String name,
      Chances chances,
      ConsumerSettings settings,
      Consumer<Life> supervisor) {
    super(world, name);
    this.chances = chances;
    this.settings = settings;
    this.supervisor = supervisor;
    this.job = new Job(world, name);
  }

  @Override
  boolean isDone() {
    return isDone;
  }

  @Override
  long meanNanos(Chances drawn) {
    return 5 * drawn.lifeMeanNanos();
  }

  @Override
  void live(SimulatedProcess process) throws InterruptedException {
    try (Namespace stream = world().open(process, chances.storeMeanNanos())) {
      Mesh shape = shape();
      Generation generation = start(stream, shape);
      int starts = job.starts();
      List<RankLife> own = launch(stream.lifecycle(), generation, shape);
      while (!own.stream().allMatch(RankLife::isDone)) {
        process.environment().clock().sleep(LOOK_NANOS);
      }
      // Overtaken by another launcher, it has no job to end.
      if (job.isLast(generation, starts) && own.stream().allMatch(RankLife::hasReadAll)) {
        end(stream.lifecycle());
      }
    } catch (StepReclaimed e) {
      refusedBelow = OptionalLong.of(e.firstStep());
      world().tell(process.name() + " comes too late: " + e);
    } catch (StoreUnavailable | CommitUnknown | CommitContended e) {
      world().tell(process.name() + " gives up: " + e);
    }
  }

  /** The stream's mesh, or one with half or twice the replicas. */
  private Mesh shape() {
    Mesh mesh = world().mesh();
    int replicas = mesh.dataParallel();
    boolean isDouble = chances.skips() == 0 && random().nextInt(4) == 0;
    boolean isHalf = replicas % 2 == 0 && random().nextInt(3) == 0;
    int changed = isHalf ? replicas / 2 : isDouble ? 2 * replicas : replicas;
    return new Mesh(changed, mesh.contextParallel());
  }

  private Generation start(Namespace stream, Mesh shape) {
    long step = startStep(stream);
    Job.Start start = job.starting(step);
    try {
      Generation generation = stream.lifecycle().start(job.name(), shape.cells(), step);
      job.started(start, generation);
      refusedBelow = OptionalLong.empty();
      return generation;
    } catch (StepReclaimed e) {
      job.refused(start);
      throw e;
    } catch (RuntimeException | Error e) {
      job.failed(start); // Killed in the middle of it, too.
      throw e;
    }
  }

  /** A checkpoint that is kept, where the ranks stand, or where nothing is promised. */
  private long startStep(Namespace stream) {
    if (refusedBelow.isPresent()) {
      return refusedBelow.getAsLong();
    }
    List<Long> steps = new ArrayList<>();
    job.lowest().ifPresent(steps::add);
    ranks.forEach(rank -> rank.checkpoints().forEach(kept -> steps.add(kept.step())));
    if (random().nextInt(4) == 0) {
      return stream.view().summary().firstStep();
    }
    return steps.isEmpty() ? 0 : steps.get(random().nextInt(steps.size()));
  }

  private List<RankLife> launch(Lifecycle lifecycle, Generation generation, Mesh shape) {
    List<RankLife> started = new ArrayList<>();
    List<Pin> givenUp = new ArrayList<>();
    for (int i = 0; i < Math.max(shape.cells(), ranks.size()); i++) {
      List<Checkpoint> kept = new ArrayList<>();
      boolean isSameShape = false;
      if (i < ranks.size()) {
        ranks.get(i).abandon();
        kept.addAll(ranks.get(i).handOver());
        isSameShape = ranks.get(i).shape().equals(shape);
      }
      // Steps of another shape may begin elsewhere, so a job of it goes on where it is started.
      long last = isSameShape ? generation.startStep() : -1;
      kept.stream()
          .filter(checkpoint -> checkpoint.step() > last)
          .forEach(checkpoint -> givenUp.add(checkpoint.pin()));
      kept.removeIf(checkpoint -> givenUp.contains(checkpoint.pin()));
      if (i < shape.cells()) {
        started.add(new RankLife(world(), chances, job, generation, shape, i, settings, kept));
      }
    }
    ranks = started;
    ranks.forEach(supervisor);
    giveUp(lifecycle, givenUp);
    return started;
  }

  /** A roll-back gives up the checkpoints after it. */
  private void giveUp(Lifecycle lifecycle, List<Pin> pins) {
    pins.forEach(world()::unpinned);
    pins.forEach(pin -> lifecycle.unpin(pin.name()));
  }

  /** A job that is done lets go of all it has; or it is forgotten. */
  private void end(Lifecycle lifecycle) {
    if (random().nextBoolean()) {
      job.end();
      boolean unused = lifecycle.remove(job.name());
    }
    isDone = true;
  }
}
