// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.cli.StepLine;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StepInfo;
import io.lakestream.text.Sha256;

/**
 * What a rank told of a step that it read.
 *
 * @param info the step's descriptor
 * @param sliceBytes length of the rank's slice
 * @param sha256 hash of the slice, in hexadecimal
 */
public record RankStep(StepInfo info, long sliceBytes, String sha256) {

  /** The step that an event tells of; what is missing there is no number or text of any step. */
  public static RankStep of(JsonNode event) {
    return new RankStep(
        StepLine.read(event), event.path("sliceBytes").asLong(-1), event.path("sha256").asText());
  }

  /** What a rank should tell that read this. */
  public static RankStep of(RankBatch batch) {
    return new RankStep(
        batch.info(), batch.payload().remaining(), new Sha256().add(batch.payload()).hex());
  }

  /** Which step. */
  public long step() {
    return info.step();
  }

  /** The version that published it. */
  public long version() {
    return info.version();
  }
}
