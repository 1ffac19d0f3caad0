// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.UnknownFieldSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A manifest version: a complete, immutable description of the stream at one point, in bounded size
 * (at most {@link FormatLimits#MANIFEST_BYTES_MAX}). Recent descriptors are in the tail, older ones
 * in segments that the tree refers to.
 *
 * <p>Version 0 is never stored: it is the empty stream that a new namespace starts from.
 *
 * @param header who committed it, and the stream's extent
 * @param chunks the tail, oldest chunk first
 * @param tree the references to sealed segments
 * @param producers the producers
 * @param tables schemas, skips, sources
 * @param unknown sections of a newer minor version, kept as they are
 */
public record Manifest(
    ManifestHeader header,
    List<Chunk> chunks,
    SegmentTree tree,
    ProducerTable producers,
    StreamTables tables,
    List<Section> unknown)
    implements ManifestVersion {

  public Manifest {
    chunks = List.copyOf(chunks);
    unknown = List.copyOf(unknown);
    checkTail(header, chunks);
    checkTree(header, tree);
  }

  private static void checkTail(ManifestHeader header, List<Chunk> chunks) {
    long step = header.tailFirst();
    for (Chunk chunk : chunks) {
      if (chunk.firstStep() != step) {
        throw new MalformedRecord(
            "a chunk of step %d at step %d".formatted(chunk.firstStep(), step));
      }
      step = chunk.endStep();
    }
    if (step != header.nextStep()) {
      throw new MalformedRecord(
          "a tail that ends at step %d in a stream that ends at %d"
              .formatted(step, header.nextStep()));
    }
  }

  private static void checkTree(ManifestHeader header, SegmentTree tree) {
    boolean isEnd = tree.levels().isEmpty() || tree.endStep() == header.tailFirst();
    boolean isWhole =
        header.firstStep() >= header.tailFirst()
            || (!tree.levels().isEmpty() && tree.firstStep() <= header.firstStep());
    if (!isEnd || !isWhole) {
      throw new MalformedRecord(
          "segments of steps %d to %d in a stream from step %d with a tail from step %d"
              .formatted(tree.firstStep(), tree.endStep(), header.firstStep(), header.tailFirst()));
    }
  }

  /** The empty stream that a new namespace starts from. */
  public static Manifest empty() {
    ManifestHeader header =
        new ManifestHeader(
            0,
            new Id128(0, 0),
            CommitKind.OPEN,
            "",
            0,
            0,
            0,
            0,
            0,
            Boundary.NONE,
            false,
            Optional.empty(),
            UnknownFieldSet.getDefaultInstance());
    return new Manifest(
        header, List.of(), SegmentTree.EMPTY, ProducerTable.EMPTY, StreamTables.EMPTY, List.of());
  }

  /** The manifest with another header of the same extent. */
  public Manifest withHeader(ManifestHeader newHeader) {
    return new Manifest(newHeader, chunks, tree, producers, tables, unknown);
  }

  /** The manifest with another segment tree. */
  public Manifest withTree(SegmentTree newTree) {
    return new Manifest(header, chunks, newTree, producers, tables, unknown);
  }

  /** The manifest with other producers. */
  public Manifest withProducers(ProducerTable newProducers) {
    return new Manifest(header, chunks, tree, newProducers, tables, unknown);
  }

  /** The manifest with other tables. */
  public Manifest withTables(StreamTables newTables) {
    return new Manifest(header, chunks, tree, producers, newTables, unknown);
  }

  /**
   * The manifest with its oldest chunks moved to a segment, which its tree refers to unless all of
   * its steps are trimmed.
   */
  public Manifest withSealed(Segment segment, Id128 hash) {
    return new Manifest(
        header.withTailFirst(segment.firstStep() + FormatLimits.SEGMENT_STEPS),
        chunks.subList(segment.chunks().size(), chunks.size()),
        tree.withSegment(segment.firstStep(), hash).trimmedTo(header.firstStep()),
        producers,
        tables,
        unknown);
  }

  /** Descriptors in the tail. */
  public int tailSteps() {
    return Math.toIntExact(header.nextStep() - header.tailFirst());
  }

  /** Bytes of the tail. */
  public int tailBytes() {
    return chunks.stream().mapToInt(Chunk::bytes).sum();
  }

  /** Encoded length in bytes. */
  public long bytes() {
    return ManifestCodec.bytes(this);
  }

  /** The chunks of a tail with more descriptors behind it. */
  public List<Chunk> chunksWith(List<Descriptor> descriptors) {
    return Chunk.append(Names.manifest(header.version()), chunks, header.nextStep(), descriptors);
  }

  /** The oldest segment that the tail could be relieved of, if it has all of its steps. */
  public Optional<Segment> sealable() {
    int count = FormatLimits.SEGMENT_STEPS / FormatLimits.CHUNK_STEPS;
    if (chunks.size() < count || !chunks.get(count - 1).isFull()) {
      return Optional.empty();
    }
    return Optional.of(new Segment(new ArrayList<>(chunks.subList(0, count))));
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    return ManifestCodec.encode(this, namespace);
  }

  /**
   * The manifest in an object's bytes.
   *
   * @param version the version that the key says
   * @throws io.lakestream.model.CorruptObject if the bytes are not that version
   * @throws io.lakestream.model.UnsupportedFormat if only a newer version understands them
   */
  public static Manifest decode(long version, UUID namespace, ByteBuffer bytes) {
    return ManifestCodec.decode(version, namespace, bytes);
  }
}
