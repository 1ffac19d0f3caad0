// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.cli.process.Events;
import io.lakestream.cli.process.Mismatches;
import java.nio.file.Path;

/** Counts what reclaimers told to have deleted, and checks that no pass passed a promise. */
final class ReclaimerCheck {
  private final Mismatches mismatches;
  private long objects;
  private long orphans;
  private long versions;

  ReclaimerCheck(Mismatches mismatches) {
    this.mismatches = mismatches;
  }

  /** Takes what a life of a reclaimer told. */
  void accept(String reclaimer, Path events) {
    Events.forEach(events, event -> accept(reclaimer, event));
  }

  private void accept(String reclaimer, JsonNode pass) {
    if (!pass.has("firstStep")) {
      return;
    }
    objects += pass.path("dataObjects").asLong();
    orphans += pass.path("orphans").asLong();
    versions += pass.path("manifests").asLong();
    long held = pass.path("heldBy").path("step").asLong(-1);
    // A pass that began when nobody had promised anything gives up nothing.
    long limit = Math.max(held, pass.path("before").asLong());
    if (pass.path("firstStep").asLong() > limit) {
      mismatches.add(
          "%s gave up the steps below %d, though step %d was held: %s"
              .formatted(reclaimer, pass.path("firstStep").asLong(), held, pass));
    }
  }

  /** Objects of batches; those of the last steps may count more than once. */
  long objects() {
    return objects;
  }

  /** Objects of batches that were never published. */
  long orphans() {
    return orphans;
  }

  /** Manifest versions. */
  long versions() {
    return versions;
  }
}
