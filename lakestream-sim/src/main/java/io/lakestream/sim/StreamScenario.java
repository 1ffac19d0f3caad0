// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.Mesh;
import io.lakestream.model.SealMode;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import io.lakestream.testkit.simulation.SimulatedProcess;
import io.lakestream.testkit.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Producers that die, return, sleep and are doubled; ranks that die and roll back. After a while
 * nothing goes wrong any more, and then everybody must come to the end.
 */
final class StreamScenario {
  private static final long HEAL_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final World world;
  private final SplittableRandom random;
  private final Chances chances;

  private StreamScenario(Simulation simulation) {
    this.random = simulation.split();
    int data = 1 + random.nextInt(2);
    int context = 1 + random.nextInt(2);
    this.world = new World(simulation, new Mesh(data, context));
    this.chances = Chances.draw(random);
  }

  /** Gets everybody going. */
  static World begin(Simulation simulation) {
    StreamScenario scenario = new StreamScenario(simulation);
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
    producers.forEach(life -> supervise(operator, life));
    ranks().forEach(life -> supervise(operator, life));
    tidiers().forEach(life -> supervise(operator, life));
    Outages outages = new Outages(world, chances.outagePauseNanos());
    operator.start("outages", () -> outages.run(operator.environment().clock(), HEAL_NANOS));
    operator.environment().clock().sleep(HEAL_NANOS);
    world.faults().heal();
    world.tell("from now on nothing goes wrong");
    while (!producers.stream().allMatch(Life::isDone)) {
      operator.environment().clock().sleep(PAUSE_NANOS);
    }
    seal(operator);
  }

  private void supervise(SimulatedProcess operator, Life life) {
    operator.start(
        life.name(), () -> life.supervise(operator, chances.lifeMeanNanos(), HEAL_NANOS));
  }

  private List<Life> producers() {
    ProducerSettings base = ProducerSettings.DEFAULT;
    PolicyStart policy = random.nextBoolean() ? PolicyStart.naive() : base.policy();
    long bundle = random.nextBoolean() ? base.bundleBytesMax() : 0;
    ProducerSettings settings =
        new ProducerSettings(
            policy,
            1 << 20,
            64,
            2,
            bundle,
            base.partBytes(),
            base.limits(),
            base.commit(),
            SchemaChange.REFUSED);
    List<Life> producers = new ArrayList<>();
    for (int i = 0; i < chances.producers(); i++) {
      producers.add(new ProducerLife(world, "p" + i, chances, settings));
    }
    return producers;
  }

  private List<Life> ranks() {
    ConsumerSettings settings =
        ConsumerSettings.DEFAULT.withPrefetch(1 + random.nextInt(8), 1 << 20, 2);
    List<Life> ranks = new ArrayList<>();
    for (int i = 0; i < world.mesh().cells(); i++) {
      ranks.add(new RankLife(world, "r" + i, chances, world.mesh().cell(i), settings));
    }
    return ranks;
  }

  private List<Life> tidiers() {
    List<Life> tidiers = new ArrayList<>();
    for (int i = 0; i < chances.tidiers(); i++) {
      tidiers.add(
          new TidyingLife(
              world, "t" + i, chances, chances.tidyPauseNanos(), chances.versionsKept()));
    }
    return tidiers;
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
