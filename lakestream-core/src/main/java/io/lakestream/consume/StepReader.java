// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.consume.SliceAssembly.Piece;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Footer;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Cell;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Topology;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads what a rank gets at a step of its job. A slice as it was written is one range read, and so
 * are slices joined along the sequence. Cut slices take the footer, which has the checksums of
 * their blocks, and a range or two. Dealt rows take the slices that have them, and the footer
 * unless the schema fixes the number of rows. Safe for use by several threads.
 */
public final class StepReader {
  private final ManifestLog log;
  private final Reshape reshape;

  public StepReader(ManifestLog log, Reshape reshape) {
    this.log = log;
    this.reshape = reshape;
  }

  /**
   * The rank's part of a step, checked.
   *
   * @throws InvalidRequest if the step cannot be dealt to the job's mesh
   * @throws io.lakestream.model.StepReclaimed if the step was reclaimed meanwhile
   * @throws io.lakestream.model.DataLoss if an object that should have it is gone
   */
  public RankBatch read(PlannedStep step) throws IOException {
    return SliceReader.readAgainIfMissing(
        log,
        step.tgb(),
        step.descriptor(),
        at -> reshape.isWhole() ? readWhole(step, at) : readReshaped(step, at));
  }

  /**
   * Whether a step can be dealt to the job's mesh.
   *
   * @throws InvalidRequest if not, which says why
   */
  public void check(PlannedStep step) throws IOException {
    if (!reshape.isWhole()) {
      var unused = request(step, step.descriptor());
    }
  }

  private Optional<RankBatch> readWhole(PlannedStep step, Descriptor descriptor)
      throws IOException {
    Topology job = reshape.job();
    Cell stored = new Cell(step.replica(), job.cell().c());
    return step.slices()
        .read(step.tgb(), descriptor, step.schema(), stored)
        .map(
            slice ->
                new RankBatch(
                    slice.info(),
                    job.mesh(),
                    job.cell(),
                    slice.cpLayout(),
                    slice.schema(),
                    slice.payload(),
                    slice.blockBytes(),
                    slice.sources()));
  }

  /**
   * What is asked of a step.
   *
   * @param selection which blocks make the rank's slice
   * @param rows which rows
   * @param footer the footer, if it is needed
   */
  private record Request(Selection selection, List<RowRange> rows, Optional<Footer> footer) {}

  /** Empty if the footer is needed and its object is missing. */
  private Optional<Request> request(PlannedStep step, Descriptor descriptor) throws IOException {
    try {
      Selection selection = Selection.of(reshape, step.schema(), descriptor.cpLayout());
      Optional<Footer> footer =
          selection.needsFooter() ? step.slices().footer(descriptor) : Optional.empty();
      if (selection.needsFooter() && footer.isEmpty()) {
        return Optional.empty();
      }
      List<RowRange> rows = selection.rows(step.replica(), footer);
      Request request = new Request(selection, rows, footer);
      if (selection.cutsSlices()) {
        var unused = selection.places(blocksPerSlice(step, request, footer.orElseThrow()));
      }
      return Optional.of(request);
    } catch (InvalidRequest e) {
      throw new InvalidRequest(
          "step %d was written for a %s mesh and cannot be read by a job of %s: %s"
              .formatted(step.tgb(), reshape.written(), reshape.job().mesh(), e.getMessage()));
    }
  }

  private static int blocksPerSlice(PlannedStep step, Request request, Footer footer) {
    TreeMap<Integer, Integer> counts = new TreeMap<>();
    for (RowRange range : request.rows()) {
      for (int c = 0; c < footer.mesh().contextParallel(); c++) {
        int slice = request.selection().slice(range.replica(), c);
        counts.put(slice, footer.slices().get(slice).blockLengths().size());
      }
    }
    return blocksPerSlice(step, request.selection(), counts);
  }

  /** The blocks of the sequence in each slice, of which all have the same number. */
  private static int blocksPerSlice(
      PlannedStep step, Selection selection, SortedMap<Integer, Integer> counts) {
    int count = counts.values().iterator().next();
    int sequence = count - (selection.hasWhole() ? 1 : 0);
    boolean isPossible = selection.hasSequence() ? sequence >= 2 && sequence % 2 == 0 : count == 1;
    if (!isPossible || counts.values().stream().anyMatch(other -> other != count)) {
      throw damaged(step, "slices with an even number of blocks of the sequence", counts + "");
    }
    return sequence;
  }

  private Optional<RankBatch> readReshaped(PlannedStep step, Descriptor descriptor)
      throws IOException {
    Optional<Request> request = request(step, descriptor);
    Optional<Gathered> gathered =
        request.isEmpty() ? Optional.empty() : gather(step, descriptor, request.get());
    return gathered.map(found -> assemble(step, descriptor, found));
  }

  private Optional<Gathered> gather(PlannedStep step, Descriptor descriptor, Request request)
      throws IOException {
    Selection selection = request.selection();
    List<RowRange> rows = request.rows();
    BlockReader blocks = new BlockReader(step.slices());
    if (selection.cutsSlices()) {
      Footer footer = request.footer().orElseThrow();
      int perSlice = blocksPerSlice(step, request, footer);
      return blocks
          .blocks(descriptor, footer, selection.blocks(rows, perSlice))
          .map(found -> new Gathered(selection, rows, perSlice, found));
    }
    return blocks
        .slices(descriptor, selection.slices(rows))
        .map(
            found -> {
              TreeMap<Integer, Integer> counts = new TreeMap<>();
              found.keySet().forEach(block -> counts.merge(block.slice(), 1, Integer::sum));
              int perSlice = blocksPerSlice(step, selection, counts);
              return new Gathered(selection, rows, perSlice, found);
            });
  }

  private RankBatch assemble(PlannedStep step, Descriptor descriptor, Gathered gathered) {
    List<ByteBuffer> parts = parts(step, gathered);
    return new RankBatch(
        descriptor.info(step.tgb()),
        reshape.job().mesh(),
        reshape.job().cell(),
        descriptor.cpLayout(),
        gathered.selection().result(),
        joined(parts),
        parts.stream().map(ByteBuffer::remaining).toList(),
        gathered.sources());
  }

  private List<ByteBuffer> parts(PlannedStep step, Gathered gathered) {
    List<Piece> pieces = gathered.pieces();
    if (!reshape.dealsRows()) {
      return pieces.get(0).blocks();
    }
    try {
      return new SliceAssembly(step.schema(), pieces).blocks();
    } catch (SliceAssembly.Misfit e) {
      throw damaged(step, e.expected(), e.found());
    }
  }

  private static ByteBuffer joined(List<ByteBuffer> parts) {
    long bytes = parts.stream().mapToLong(ByteBuffer::remaining).sum();
    ByteBuffer joined = ByteBuffer.allocate(SliceAssembly.checked(bytes));
    parts.forEach(part -> joined.put(part.duplicate()));
    return joined.flip();
  }

  private static CorruptObject damaged(PlannedStep step, String expected, String found) {
    return new CorruptObject(
        SliceReader.key(step.descriptor()), "step " + step.tgb(), expected, found);
  }
}
