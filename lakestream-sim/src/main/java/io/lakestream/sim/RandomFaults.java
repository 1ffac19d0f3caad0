// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.format.Names;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import io.lakestream.testkit.fault.Faults;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Puts faults in force, each as often as a draw says: no two runs have the same weather. */
final class RandomFaults {
  private static final long LATE_MAX_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final double CHANCE_MAX = 0.2;
  private static final double BODY_CHANCE_MAX = 0.05;
  private static final double CRASH_CHANCE_MAX = 0.01;

  private static final int PAGE_KEYS_MAX = 3;

  private static final List<Operation> READS =
      List.of(Operation.READ, Operation.READ_RANGE, Operation.READ_SUFFIX, Operation.SIZE);

  private RandomFaults() {}

  static void add(Faults faults, SplittableRandom random, double scale) {
    long late = random.nextLong(LATE_MAX_NANOS);
    List<Fault> ofPuts =
        List.of(
            new Fault.Throttled(),
            new Fault.LostReply(),
            new Fault.Late(late),
            new Fault.Duplicated(late),
            new Fault.Slow(late / 10),
            new Fault.Contested());
    List<Fault> ofCreates = List.of(new Fault.Undecided(), new Fault.Resent());
    for (Fault fault : ofPuts) {
      add(faults, random, Operation.PUT_IF_ABSENT, fault, scale);
      add(faults, random, Operation.PUT, fault, scale / 2);
    }
    for (Fault fault : ofCreates) {
      add(faults, random, Operation.PUT_IF_ABSENT, fault, scale);
    }
    for (Operation read : READS) {
      add(faults, random, read, new Fault.Throttled(), scale / 2);
      add(faults, random, read, new Fault.Slow(late / 100), scale / 4);
    }
    addFaultsOfBodies(faults, random, scale);
    addFaultsOfListings(faults, random, late, scale);
    for (Operation operation : Operation.values()) {
      double crash = scale * CRASH_CHANCE_MAX * random.nextDouble();
      faults.add(FaultRule.often(operation, "", crash, new Fault.CrashBefore()));
      faults.add(FaultRule.often(operation, "", crash, new Fault.CrashAfter()));
    }
  }

  private static void addFaultsOfBodies(Faults faults, SplittableRandom random, double scale) {
    List<Fault> ofBodies =
        List.of(
            new Fault.FlippedBit(),
            new Fault.ShortBody(),
            new Fault.LongBody(),
            new Fault.IgnoredRange());
    for (Fault fault : ofBodies) {
      double chance = scale * BODY_CHANCE_MAX * random.nextDouble();
      faults.add(FaultRule.often(Operation.READ_RANGE, "data/", chance, fault));
      faults.add(FaultRule.often(Operation.READ, Names.HINT, scale * random.nextDouble(), fault));
    }
    // Manifests that come whole or stale hints are no failure, so these may be frequent.
    faults.add(
        FaultRule.often(
            Operation.READ_RANGE,
            "manifest/0",
            scale * random.nextDouble(),
            new Fault.IgnoredRange()));
    faults.add(
        FaultRule.often(
            Operation.READ, Names.HINT, scale * random.nextDouble(), new Fault.Stale()));
  }

  private static void addFaultsOfListings(
      Faults faults, SplittableRandom random, long late, double scale) {
    List<Fault> ofDeletes =
        List.of(
            new Fault.Throttled(),
            new Fault.LostReply(),
            new Fault.Late(late),
            new Fault.Duplicated(late));
    for (Fault fault : ofDeletes) {
      add(faults, random, Operation.DELETE, fault, scale);
    }
    add(faults, random, Operation.LIST, new Fault.Throttled(), scale / 2);
    Fault pages = new Fault.SmallPages(random.nextLong(), PAGE_KEYS_MAX);
    faults.add(FaultRule.often(Operation.LIST, "", random.nextDouble(), pages));
  }

  private static void add(
      Faults faults, SplittableRandom random, Operation operation, Fault fault, double scale) {
    if (random.nextBoolean()) {
      double chance = scale * CHANCE_MAX * random.nextDouble();
      faults.add(FaultRule.often(operation, "", chance, fault));
    }
  }
}
