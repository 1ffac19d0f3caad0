// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakestream.StepFooter;
import io.lakestream.model.Cell;
import io.lakestream.model.StepInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * A step as {@code cat} shows it.
 *
 * @param step the step
 * @param version the version that published it
 * @param producer who wrote it
 * @param epoch the producer's term
 * @param seq its number among the producer's batches
 * @param offset the producer's position in its input after it
 * @param objects keys of the objects that hold it
 * @param objectOffset where it starts in the first of them
 * @param bytes its length, footer included
 * @param mesh the mesh that it was written for
 * @param cpLayout {@code opaque}, {@code contiguous} or {@code zigzag}
 * @param schema what its slices consist of
 * @param slices its slices in (d,c) order
 * @param provenance where the samples came from, line by line
 */
record StepText(
    long step,
    long version,
    String producer,
    long epoch,
    long seq,
    String offset,
    List<String> objects,
    long objectOffset,
    long bytes,
    String mesh,
    String cpLayout,
    SchemaText schema,
    List<Slice> slices,
    List<String> provenance) {

  /**
   * A slice.
   *
   * @param d data-parallel replica
   * @param c context-parallel rank
   * @param bytes its length
   * @param blocks in how many blocks it is stored
   * @param rows rows with content
   * @param padding rows that only fill up
   * @param tokens tokens of all rows, 0 if there is no row table
   */
  record Slice(int d, int c, long bytes, int blocks, int rows, int padding, long tokens) {
    static Slice of(Cell cell, StepFooter.SliceSummary summary) {
      return new Slice(
          cell.d(),
          cell.c(),
          summary.bytes(),
          summary.blocks(),
          summary.rows().real(),
          summary.rows().padding(),
          summary.rows().table().stream().mapToLong(row -> row.tokens()).sum());
    }
  }

  static StepText of(StepInfo step, StepFooter footer) {
    List<Slice> slices = new ArrayList<>();
    for (int i = 0; i < footer.slices().size(); i++) {
      slices.add(Slice.of(footer.mesh().cell(i), footer.slices().get(i)));
    }
    return new StepText(
        step.step(),
        step.version(),
        step.producer(),
        step.epoch(),
        step.seq(),
        step.offset(),
        step.objects(),
        step.objectOffset(),
        step.bytes(),
        footer.mesh().toString(),
        SchemaText.lower(footer.cpLayout()),
        SchemaText.of(footer.schema()),
        slices,
        footer.provenance().map(UTF_8::decode).stream()
            .flatMap(text -> text.toString().lines())
            .toList());
  }

  void print(Console console) {
    printHead(console);
    console.print("");
    printSlices(console);
    if (!provenance.isEmpty()) {
      console.print("\nprovenance");
      provenance.forEach(line -> console.print("  " + Table.oneLine(line)));
    }
  }

  private void printHead(Console console) {
    console.print(
        "step %d, %s, published in version %d".formatted(step, Units.bytes(bytes), version));
    console.print(
        "by producer '%s' in epoch %d as batch %d, offset %s"
            .formatted(Table.oneLine(producer), epoch, seq, Table.oneLine(offset)));
    console.print("mesh %s, cp layout %s, %s".formatted(mesh, cpLayout, schema.contentType()));
    objects.forEach(object -> console.print("object %s".formatted(object)));
    schema.tensors().forEach(tensor -> console.print("tensor %s".formatted(tensor)));
  }

  private void printSlices(Console console) {
    Table table =
        new Table(
            left("slice"),
            right("bytes"),
            right("blocks"),
            right("rows"),
            right("padding"),
            right("tokens"));
    for (Slice slice : slices) {
      table.row(
          slice.d + "," + slice.c,
          Units.count(slice.bytes),
          slice.blocks,
          slice.rows,
          slice.padding,
          Units.count(slice.tokens));
    }
    table.print(console);
  }
}
