// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.cli.process.Events;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a life of a producer told.
 *
 * @param opening what it found when it was opened; empty if it did not come to that
 * @param published what it was told to be published, in order
 * @param isFenced whether it ended because another life had taken its place
 */
record ProducerAccount(
    Optional<ProduceCommand.Opened> opening, List<Acknowledged> published, boolean isFenced) {

  /**
   * A batch that the producer was told to be a step.
   *
   * @param seq which batch
   * @param version a version that has it
   */
  record Acknowledged(long seq, long version) {}

  ProducerAccount {
    published = List.copyOf(published);
  }

  /** What a life told in a file. */
  static ProducerAccount read(Path events, boolean isFenced) {
    List<ProduceCommand.Opened> openings = new ArrayList<>();
    List<Acknowledged> published = new ArrayList<>();
    Events.forEach(
        events,
        event -> {
          if (event.has("opened")) {
            openings.add(opening(event));
          } else if (event.has("seq")) {
            published.add(
                new Acknowledged(event.get("seq").asLong(), event.path("version").asLong(-1)));
          }
        });
    return new ProducerAccount(openings.stream().findFirst(), published, isFenced);
  }

  private static ProduceCommand.Opened opening(JsonNode event) {
    JsonNode offset = event.path("recoveredOffset");
    return new ProduceCommand.Opened(
        event.get("opened").asLong(),
        event.path("recoveredSeq").asLong(-1),
        offset.isTextual() ? offset.asText() : null);
  }
}
