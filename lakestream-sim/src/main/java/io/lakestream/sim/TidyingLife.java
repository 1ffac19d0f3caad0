// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.format.Boundary;
import io.lakestream.format.Names;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.Listings;
import io.lakestream.store.ObjectStore;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody who deletes old manifest versions below a boundary that he has raised before, much
 * sooner than anybody would: the younger the dead versions, the more readers and writers meet them.
 */
final class TidyingLife extends Life {
  /** So many dead versions are deleted again: late puts may have revived them. */
  private static final int DELETED_AGAIN = 20;

  private final Chances chances;
  private final long pauseNanos;
  private final int versionsKept;

  TidyingLife(World world, String name, Chances chances, long pauseNanos, int versionsKept) {
    super(world, name);
    this.chances = chances;
    this.pauseNanos = pauseNanos;
    this.versionsKept = versionsKept;
  }

  @Override
  boolean isDone() {
    return world().history().isSealed();
  }

  @Override
  void live(SimulatedProcess process) throws InterruptedException {
    ObjectStore store = world().storeFor(process, chances.storeMeanNanos());
    ManifestLog log = new ManifestLog(store, world().namespace());
    while (!isDone()) {
      process.environment().clock().sleep(Chances.around(random(), pauseNanos));
      try {
        tidy(log);
      } catch (IOException e) {
        world().tell(process.name() + " fails: " + e.getMessage());
      }
    }
  }

  private void tidy(ManifestLog log) throws IOException {
    var head = log.heads().find(0);
    long target = head.version() - versionsKept;
    if (target <= 0) {
      return;
    }
    Boundary boundary = log.boundaries().raise(head.boundary(), target);
    long before = Math.min(head.boundary().version(), target);
    List<String> dead = random().nextBoolean() ? listed(log, boundary) : counted(before, boundary);
    List<DeleteFailure> unused = log.store().delete(dead);
  }

  /** All that are dead and there. */
  private static List<String> listed(ManifestLog log, Boundary boundary) throws IOException {
    return Listings.keys(log.store(), Names.MANIFESTS).stream()
        .filter(key -> Names.manifestOf(key).stream().anyMatch(v -> v <= boundary.version()))
        .toList();
  }

  /** Those that died now, and some before them. */
  private static List<String> counted(long before, Boundary boundary) {
    List<String> dead = new ArrayList<>();
    for (long version = Math.max(1, before - DELETED_AGAIN);
        version <= boundary.version();
        version++) {
      dead.add(Names.manifest(version));
    }
    return dead;
  }
}
