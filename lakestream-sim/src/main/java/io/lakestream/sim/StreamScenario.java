// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Lakestream;
import io.lakestream.Lifecycle;
import io.lakestream.Namespace;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.Mesh;
import io.lakestream.model.SealMode;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.testkit.simulation.SimulatedProcess;
import io.lakestream.testkit.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Producers that die, return, sleep and are doubled; a training job whose ranks die, roll back and
 * are left over; users who pin; somebody who skips steps; and others who reclaim. After a while
 * nothing goes wrong any more, and then everybody must come to the end.
 */
final class StreamScenario {
  private static final long HEAL_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** After this long nothing that was sent is on its way any more. */
  private static final long LANDED_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final World world;
  private final SplittableRandom random;
  private final Chances chances;

  private StreamScenario(Simulation simulation, Function<SplittableRandom, Chances> draw) {
    this.random = simulation.split();
    int data = 1 + random.nextInt(2);
    int context = 1 + random.nextInt(2);
    this.world = new World(simulation, new Mesh(data, context));
    this.chances = draw.apply(random);
  }

  /** Gets everybody going. */
  static World begin(Simulation simulation, Function<SplittableRandom, Chances> draw) {
    StreamScenario scenario = new StreamScenario(simulation, draw);
    SimulatedProcess operator = scenario.world.process("operator");
    operator.start("main", () -> scenario.operate(operator));
    return scenario.world;
  }

  private void operate(SimulatedProcess operator) throws InterruptedException {
    try (Namespace created =
        Lakestream.create(
            world.storeFor(operator, chances.storeMeanNanos()),
            World.PLACE,
            world.mesh(),
            operator.environment())) {
      world.created(created.uuid());
    }
    RandomFaults.add(world.faults(), random, chances.faultScale());
    world.tell("weather: " + chances);
    List<Life> producers = producers();
    List<Life> others = others(operator);
    List<Life> reclaimers = reclaimers();
    producers.forEach(life -> supervise(operator, life));
    others.forEach(life -> supervise(operator, life));
    reclaimers.forEach(life -> supervise(operator, life));
    Outages outages = new Outages(world, chances.outagePauseNanos());
    operator.start("outages", () -> outages.run(operator.environment().clock(), HEAL_NANOS));
    operator.environment().clock().sleep(HEAL_NANOS);
    world.faults().heal();
    world.tell("from now on nothing goes wrong");
    await(operator, () -> producers.stream().allMatch(Life::isDone));
    seal(operator);
    await(operator, () -> others.stream().allMatch(Life::isDone));
    world.end();
    await(operator, world::isQuiet);
    operator.environment().clock().sleep(LANDED_NANOS);
    settle(operator);
  }

  private static void await(SimulatedProcess operator, BooleanSupplier condition)
      throws InterruptedException {
    while (!condition.getAsBoolean()) {
      operator.environment().clock().sleep(PAUSE_NANOS);
    }
  }

  /** Pins that nobody knows of are removed, and the stream is reclaimed once more. */
  private void settle(SimulatedProcess operator) throws InterruptedException {
    try (Namespace stream = world.open(operator, chances.storeMeanNanos())) {
      Lifecycle lifecycle = stream.lifecycle();
      lifecycle.pinned().stream()
          .filter(pin -> !world.isPinned(pin))
          .forEach(pin -> lifecycle.unpin(pin.name()));
      var unused = lifecycle.reclaim(chances.reclaimSettings());
    }
    world.settled();
  }

  private void supervise(SimulatedProcess operator, Life life) {
    operator.start(
        life.name(), () -> life.supervise(operator, life.meanNanos(chances), HEAL_NANOS));
  }

  private List<Life> producers() {
    ProducerSettings base = ProducerSettings.DEFAULT;
    PolicyStart policy = random.nextBoolean() ? PolicyStart.naive() : base.policy();
    long bundle = random.nextBoolean() ? base.bundleBytesMax() : 0;
    ProducerSettings settings =
        base.withPolicy(policy).withPending(64).withUploads(2, 1 << 20, bundle);
    List<Life> producers = new ArrayList<>();
    for (int i = 0; i < chances.producers(); i++) {
      producers.add(new ProducerLife(world, "p" + i, chances, settings));
    }
    return producers;
  }

  /** Those who read, a training job and users who pin; and who says what is to be skipped. */
  private List<Life> others(SimulatedProcess operator) {
    ConsumerSettings settings =
        ConsumerSettings.DEFAULT.withPrefetch(1 + random.nextInt(8), 1 << 20, 2);
    List<Life> others = new ArrayList<>();
    others.add(new JobLife(world, "job", chances, settings, life -> supervise(operator, life)));
    for (int i = 0; i < chances.pinners(); i++) {
      others.add(new PinningLife(world, "u" + i, chances));
    }
    for (int i = 0; i < chances.forkers(); i++) {
      ForkingLife forker = new ForkingLife(world, "f" + i, chances);
      others.add(forker);
      others.add(new ForkReclaimingLife(world, "g" + i, chances, forker));
    }
    others.add(new SkippingLife(world, "s0", chances));
    return others;
  }

  private List<Life> reclaimers() {
    List<Life> reclaimers = new ArrayList<>();
    for (int i = 0; i < chances.reclaimers(); i++) {
      reclaimers.add(new ReclaimingLife(world, "t" + i, chances));
    }
    return reclaimers;
  }

  private void seal(SimulatedProcess operator) throws InterruptedException {
    while (!world.history().isSealed()) {
      try (Namespace stream = world.open(operator, chances.storeMeanNanos())) {
        stream.seal(SealMode.FORCED);
      } catch (LakestreamException e) {
        world.tell("sealing failed: " + e);
        operator.environment().clock().sleep(PAUSE_NANOS);
      }
    }
  }
}
