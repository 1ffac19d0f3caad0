// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.cli.process.Events;
import java.util.List;

/**
 * What reclaimers told to have deleted; passes that were killed did not come to tell.
 *
 * @param objects objects of batches; those of the last steps may count more than once
 * @param orphans objects of batches that were never published, or trimmed by another pass
 * @param versions manifest versions
 */
record Deletions(long objects, long orphans, long versions) {
  private static final Deletions NONE = new Deletions(0, 0, 0);

  /** What all lives of reclaimers told. */
  static Deletions of(List<Actor> reclaimers) {
    return reclaimers.stream()
        .flatMap(reclaimer -> reclaimer.lives().stream())
        .flatMap(life -> Events.read(life.events()).stream())
        .map(Deletions::of)
        .reduce(NONE, Deletions::plus);
  }

  private static Deletions of(JsonNode pass) {
    return new Deletions(
        pass.path("dataObjects").asLong(),
        pass.path("orphans").asLong(),
        pass.path("manifests").asLong());
  }

  private Deletions plus(Deletions other) {
    return new Deletions(
        objects + other.objects, orphans + other.orphans, versions + other.versions);
  }
}
