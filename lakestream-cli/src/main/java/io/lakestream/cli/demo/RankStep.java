// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a rank told of a step that it read.
 *
 * @param step the step
 * @param version the manifest version that published it
 * @param producer id of the producer that wrote it
 * @param seq its number among the producer's batches
 * @param offset the producer's position in its input after it
 * @param bytes length of the rank's slice
 * @param sha256 hash of the slice, in hexadecimal
 */
record RankStep(
    long step, long version, String producer, long seq, String offset, long bytes, String sha256) {

  /** The step that an event tells of; what is missing there is no number or text of any step. */
  static RankStep of(JsonNode event) {
    return new RankStep(
        event.path("step").asLong(-1),
        event.path("version").asLong(-1),
        event.path("producer").asText(),
        event.path("seq").asLong(-1),
        event.path("offset").asText(),
        event.path("bytes").asLong(-1),
        event.path("sha256").asText());
  }

  /** The descriptor as one line, which ranks hash to compare what they saw. */
  String descriptorLine() {
    return "%d %d %s %d %s\n".formatted(step, version, producer, seq, offset);
  }
}
