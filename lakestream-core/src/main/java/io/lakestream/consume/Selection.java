// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.consume.BlockReader.Block;
import io.lakestream.consume.ContextCut.Place;
import io.lakestream.format.Footer;
import io.lakestream.model.ContentType;
import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which rows and blocks of a step a rank gets whose job has another mesh: pure.
 *
 * @param reshape how the stream is dealt to the job
 * @param schema what the step consists of
 * @param cut how its sequences are joined or cut
 */
record Selection(Reshape reshape, Schema schema, ContextCut cut) {

  /**
   * The selection of a step.
   *
   * @throws InvalidRequest if the content cannot be dealt to the job's mesh
   */
  static Selection of(Reshape reshape, Schema schema, CpLayout layout) {
    if (schema.contentType() == ContentType.RAW) {
      throw new InvalidRequest("its bytes are raw, and only their writer could cut or join them");
    }
    if (reshape.dealsRows()
        && schema.tensors().stream().allMatch(tensor -> tensor.kind() == Kind.SHARED)) {
      throw new InvalidRequest("no tensor has rows that could be dealt to other replicas");
    }
    int from = reshape.written().contextParallel();
    int to = reshape.job().mesh().contextParallel();
    // Without sequences nothing is cut: all tensors go whole to every context rank.
    CpLayout known = schema.sequenceTensors().isEmpty() ? CpLayout.CONTIGUOUS : layout;
    return new Selection(reshape, schema, new ContextCut(known, from, to));
  }

  /** Whether slices have blocks of the sequence. */
  boolean hasSequence() {
    return !schema.sequenceTensors().isEmpty();
  }

  /** Whether slices have a last block with other tensors. */
  boolean hasWhole() {
    return !schema.wholeTensors().isEmpty();
  }

  /** Whether blocks are read one by one, since the rank does not need all of a slice. */
  boolean cutsSlices() {
    return hasSequence() && !cut.joinsSlices();
  }

  /** Whether only the footer says what has to be read. */
  boolean needsFooter() {
    return cutsSlices() || (reshape.dealsRows() && fixedRows().isEmpty());
  }

  private OptionalInt fixedRows() {
    return schema.tensors().stream()
        .filter(tensor -> tensor.kind() != Kind.SHARED && tensor.shape().get(0) != TensorSpec.ANY)
        .mapToInt(tensor -> Math.toIntExact(tensor.shape().get(0)))
        .findFirst();
  }

  /**
   * The rows of the rank.
   *
   * @param replica the replica that it reads, unless rows are dealt
   * @throws InvalidRequest if there are fewer rows than ranks
   */
  List<RowRange> rows(int replica, Optional<Footer> footer) {
    if (!reshape.dealsRows()) {
      return List.of(RowRange.all(replica));
    }
    int replicas = reshape.written().dataParallel();
    List<Integer> rows = new ArrayList<>();
    if (fixedRows().isPresent()) {
      rows.addAll(Collections.nCopies(replicas, fixedRows().getAsInt()));
    } else {
      for (int d = 0; d < replicas; d++) {
        rows.add(footer.orElseThrow().slices().get(slice(d, 0)).rows().count());
      }
    }
    if (rows.stream().allMatch(count -> count == 0)) {
      throw new InvalidRequest("it does not say how many rows it has");
    }
    return RowRange.deal(rows, reshape.job().mesh().dataParallel(), reshape.job().cell().d());
  }

  /** The position of a slice in (d,c) order. */
  int slice(int replica, int context) {
    return replica * reshape.written().contextParallel() + context;
  }

  private int rank() {
    return reshape.job().cell().c();
  }

  /** The context ranks whose whole slices are read, unless slices are cut. */
  List<Integer> contexts() {
    return hasSequence() ? cut.joined(rank()) : List.of(rank() * cut.from() / cut.to());
  }

  /** The slices that are read whole, in (d,c) order, unless slices are cut. */
  List<Integer> slices(List<RowRange> rows) {
    List<Integer> slices = new ArrayList<>();
    for (RowRange range : rows) {
      contexts().forEach(context -> slices.add(slice(range.replica(), context)));
    }
    return slices;
  }

  /**
   * The blocks of the sequence in the order of the rank's slice.
   *
   * @param blocksPerSlice how many a slice has
   */
  List<Place> places(int blocksPerSlice) {
    return hasSequence() ? cut.places(rank(), blocksPerSlice) : List.of();
  }

  /** Where the other tensors are read from: any slice that is read anyway has them. */
  Optional<Place> whole(int blocksPerSlice) {
    if (!hasWhole()) {
      return Optional.empty();
    }
    int context = cutsSlices() ? places(blocksPerSlice).get(0).context() : contexts().get(0);
    return Optional.of(new Place(context, blocksPerSlice));
  }

  /** All blocks that are read if slices are cut. */
  List<Block> blocks(List<RowRange> rows, int blocksPerSlice) {
    List<Place> places = new ArrayList<>(places(blocksPerSlice));
    whole(blocksPerSlice).ifPresent(places::add);
    List<Block> blocks = new ArrayList<>();
    for (RowRange range : rows) {
      places.forEach(
          place -> blocks.add(new Block(slice(range.replica(), place.context()), place.index())));
    }
    return blocks;
  }

  /** What the rank's slice consists of. */
  Schema result() {
    return reshape.dealsRows() ? SliceAssembly.dealt(schema) : schema;
  }
}
