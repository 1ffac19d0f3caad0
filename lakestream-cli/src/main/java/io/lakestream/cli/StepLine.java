// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.model.StepInfo;
import java.util.ArrayList;
import java.util.List;

/** The descriptor of a step in the files of events, and as the line that is hashed. */
public final class StepLine {
  private StepLine() {}

  /** All that the descriptor says, as one line. */
  public static String of(StepInfo info) {
    return "%d %d %s %d %d %s %s %d %d %s\n"
        .formatted(
            info.step(),
            info.version(),
            info.producer(),
            info.epoch(),
            info.seq(),
            info.offset(),
            String.join(",", info.objects()),
            info.objectOffset(),
            info.bytes(),
            info.footerCrc());
  }

  /** The step that an event tells of; what is missing there is no number or text of any step. */
  public static StepInfo read(JsonNode event) {
    List<String> objects = new ArrayList<>();
    event.path("objects").forEach(object -> objects.add(object.asText()));
    return new StepInfo(
        event.path("step").asLong(-1),
        event.path("version").asLong(-1),
        event.path("producer").asText(),
        event.path("epoch").asLong(-1),
        event.path("seq").asLong(-1),
        event.path("offset").asText(),
        objects,
        event.path("objectOffset").asLong(-1),
        event.path("bytes").asLong(-1),
        event.path("footerCrc").asText());
  }
}
