// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.cli.process.Events;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What the processes told about their cost. A life that was killed leaves no totals, so these are
 * of the lives that came to their end.
 *
 * @param attempts conditional puts of manifest versions
 * @param commits attempts that published
 * @param objects objects of batches that were put
 * @param visibleMillis time from written to visible of each batch, ascending
 * @param fetchedBytes what ranks read from the store, everything counted
 * @param sliceBytes what of it was slices
 */
record Measures(
    long attempts,
    long commits,
    long objects,
    List<Double> visibleMillis,
    long fetchedBytes,
    long sliceBytes) {

  Measures {
    visibleMillis = List.copyOf(visibleMillis);
  }

  static Measures of(List<Child> producers, List<Child> ranks) {
    List<JsonNode> written = lastWords(producers);
    List<Double> visible = new ArrayList<>();
    for (Child producer : producers) {
      for (Child.Life life : producer.lives()) {
        Events.read(life.events()).stream()
            .filter(event -> event.has("visibleMillis"))
            .forEach(event -> visible.add(event.get("visibleMillis").asDouble()));
      }
    }
    Collections.sort(visible);
    return new Measures(
        sum(written, "/attempts"),
        sum(written, "/commits"),
        sum(written, "/objects"),
        visible,
        lastWords(ranks).stream().mapToLong(Measures::bytesRead).sum(),
        ranks.stream().mapToLong(Measures::sliceBytes).sum());
  }

  private static List<JsonNode> lastWords(List<Child> children) {
    return children.stream()
        .map(child -> child.lives().get(child.lives().size() - 1))
        .map(life -> Events.done(Events.read(life.events())))
        .flatMap(Optional::stream)
        .toList();
  }

  private static long sum(List<JsonNode> events, String pointer) {
    return events.stream().mapToLong(event -> event.at(pointer).asLong()).sum();
  }

  /** Over all operations of the store. */
  private static long bytesRead(JsonNode event) {
    long bytes = 0;
    for (JsonNode calls : event.path("store")) {
      bytes += calls.path("bytesRead").asLong();
    }
    return bytes;
  }

  private static long sliceBytes(Child rank) {
    Child.Life life = rank.lives().get(rank.lives().size() - 1);
    return Events.read(life.events()).stream()
        .filter(event -> event.has("step"))
        .mapToLong(event -> event.path("sliceBytes").asLong())
        .sum();
  }

  /** Share of attempts that published; 1 if nobody had to attempt anything. */
  double commitSuccess() {
    return attempts == 0 ? 1 : (double) commits / attempts;
  }

  /** Bytes read for each byte of a slice. */
  double readAmplification() {
    return sliceBytes == 0 ? 1 : (double) fetchedBytes / sliceBytes;
  }

  /** The time that a share of the batches did not exceed, in milliseconds. */
  double visibleMillis(double share) {
    if (visibleMillis.isEmpty()) {
      return 0;
    }
    int index = (int) Math.ceil(share * visibleMillis.size()) - 1;
    return visibleMillis.get(Math.max(0, index));
  }
}
