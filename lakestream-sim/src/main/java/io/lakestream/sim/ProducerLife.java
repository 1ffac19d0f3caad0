// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.ProducerFenced;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.StreamSealed;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.sim.invariant.Violation;
import io.lakestream.testkit.simulation.SimulatedProcess;

/** A producer that writes a number of batches over all its lives. */
final class ProducerLife extends Life {
  private final Chances chances;
  private final ProducerSettings settings;
  private boolean isDone;

  ProducerLife(World world, String name, Chances chances, ProducerSettings settings) {
    super(world, name);
    this.chances = chances;
    this.settings = settings;
  }

  @Override
  boolean isDone() {
    return isDone;
  }

  @Override
  void live(SimulatedProcess process) throws InterruptedException {
    try (Namespace stream = world().open(process, chances.storeMeanNanos())) {
      produce(process, stream);
      isDone = true;
    } catch (StreamSealed e) {
      if (!isDone) {
        throw e;
      }
      world().tell(process.name() + " comes too late: " + e);
    } catch (StoreUnavailable | CommitUnknown | CommitContended | ProducerFenced e) {
      world().tell(process.name() + " gives up: " + e);
    }
  }

  /** Writes what is left to write; all of it is published when this returns. */
  private void produce(SimulatedProcess process, Namespace stream) throws InterruptedException {
    try (Producer producer =
        stream.producer(
            name(), settings, published -> world().acknowledged(name(), published.seq()))) {
      long next = producer.recoveredOffset().map(Long::parseLong).orElse(0L);
      if (next != producer.recoveredTgbs()) {
        throw new Violation(
            "I3",
            "%s recovers offset %d behind %d batches"
                .formatted(process.name(), next, producer.recoveredTgbs()));
      }
      write(process, producer, next);
    }
  }

  private void write(SimulatedProcess process, Producer producer, long first)
      throws InterruptedException {
    for (long seq = first; seq < chances.batchesEach(); seq++) {
      producer.write(Payloads.batch(world().mesh(), name(), seq), Long.toString(seq + 1));
      process.environment().clock().sleep(Chances.around(random(), chances.writePauseNanos()));
      if (random().nextInt(10) == 0) {
        producer.flush();
      }
    }
  }
}
