// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.format.Footer;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Mesh;
import io.lakestream.model.Rows;
import io.lakestream.model.Schema;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * What the footer of a step says.
 *
 * @param mesh the mesh that the batch was written for
 * @param cpLayout how sequences are dealt to context-parallel ranks
 * @param schema what the slices consist of
 * @param slices the slices in (d,c) order
 * @param provenance where the samples came from, in the writer's words, if there are any
 */
public record StepFooter(
    Mesh mesh,
    CpLayout cpLayout,
    Schema schema,
    List<SliceSummary> slices,
    Optional<ByteBuffer> provenance) {

  /**
   * One slice.
   *
   * @param bytes its length
   * @param blocks in how many blocks it is stored
   * @param rows its rows
   */
  public record SliceSummary(long bytes, int blocks, Rows rows) {}

  public StepFooter {
    slices = List.copyOf(slices);
  }

  static StepFooter of(Footer footer, Optional<ByteBuffer> provenance) {
    List<SliceSummary> slices =
        footer.slices().stream()
            .map(
                slice ->
                    new SliceSummary(
                        slice.blockLengths().stream().mapToLong(Integer::longValue).sum(),
                        slice.blockLengths().size(),
                        slice.rows()))
            .toList();
    return new StepFooter(footer.mesh(), footer.cpLayout(), footer.schema(), slices, provenance);
  }
}
