// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.commit;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.Boundary;
import io.lakestream.format.Chunk;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Descriptor;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.Footer;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Hint;
import io.lakestream.format.Id128;
import io.lakestream.format.ImageLocation;
import io.lakestream.format.IndexNode;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable;
import io.lakestream.format.SchemaCodec;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree;
import io.lakestream.format.SliceIndex;
import io.lakestream.format.StreamTables;
import io.lakestream.format.TgbImage;
import io.lakestream.model.Cell;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Mesh;
import io.lakestream.model.RawTgbBuilder;
import io.lakestream.model.Schema;
import io.lakestream.model.Tgb;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A stream as one producer leaves it that committed every step by itself, written without making
 * the commits: all segments and index nodes, and the last manifest version with a boundary right
 * below it, as if all earlier versions had been reclaimed. The objects are made by the format's own
 * code; where segments end follows the committers' rule. The data is there only of the steps that
 * are going to be read.
 */
public final class History {
  /** The mesh that its batches are for. */
  public static final Mesh MESH = new Mesh(16, 8);

  static final String PRODUCER = "packer-0000";

  private static final long EPOCH = 1;

  /** The bytes of a slice; with its trailer it takes {@link #SLICE_BYTES}. */
  private static final int PAYLOAD_BYTES = 782;

  private static final long SLICE_BYTES = 790;
  private static final int FOOTER_BYTES = 2_900;

  /** Ten characters with the numbers of ten million steps. */
  private static final long OFFSET_BASE = 1_000_000_000L;

  /** A committer seals once the tail has two segments, so that one to two stay. */
  private static final int SEGMENTS_IN_TAIL = 2;

  private static final UnknownFieldSet NO_UNKNOWN_FIELDS = UnknownFieldSet.getDefaultInstance();

  private final ObjectStore store;
  private final UUID namespace;
  private final Set<Long> readSteps;
  private final SplittableRandom random;

  private History(ObjectStore store, UUID namespace, long steps, Set<Long> readSteps) {
    this.store = store;
    this.namespace = namespace;
    this.readSteps = readSteps;
    this.random = new SplittableRandom(steps);
  }

  /** Writes a history of {@code steps} steps, none with data, into a namespace that has none. */
  static void write(ObjectStore store, UUID namespace, long steps) throws IOException {
    write(store, namespace, steps, Set.of());
  }

  /**
   * Writes a history of {@code steps} steps into a namespace that has none.
   *
   * @param readSteps the steps whose data is there
   */
  public static void write(ObjectStore store, UUID namespace, long steps, Set<Long> readSteps)
      throws IOException {
    new History(store, namespace, steps, readSteps).write(steps);
  }

  /** The descriptor of the batch of a step, not yet published, as a producer would make it. */
  static Descriptor descriptor(long epoch, long step, long random) {
    long imageBytes = 48 + MESH.cells() * SLICE_BYTES + FOOTER_BYTES;
    return descriptor(
        epoch,
        step,
        new ImageLocation(random, step, 0, imageBytes, 0, FOOTER_BYTES, (int) random),
        new SliceIndex.Uniform(SLICE_BYTES));
  }

  private static Descriptor descriptor(
      long epoch, long step, ImageLocation location, SliceIndex slices) {
    return new Descriptor(
        PRODUCER,
        epoch,
        step,
        offset(step),
        0,
        location,
        slices,
        CpLayout.ZIGZAG,
        SchemaCodec.id(Schema.RAW),
        NO_UNKNOWN_FIELDS);
  }

  private static String offset(long step) {
    return Long.toString(OFFSET_BASE + step);
  }

  /** The descriptor of a step whose data is put. */
  private Descriptor stored(long step, long random) throws IOException {
    RawTgbBuilder tgb = Tgb.raw(MESH).cpLayout(CpLayout.ZIGZAG);
    for (int i = 0; i < MESH.cells(); i++) {
      Cell cell = MESH.cell(i);
      tgb.slice(cell.d(), cell.c(), ByteBuffer.allocate(PAYLOAD_BYTES).putLong(0, step));
    }
    Footer.Stamp stamp = new Footer.Stamp(PRODUCER, EPOCH, step, offset(step));
    TgbImage image = TgbImage.encode(namespace, tgb.build(), stamp);
    put(Names.data(PRODUCER, EPOCH, step, random), image.buffers());
    return descriptor(
        EPOCH,
        step,
        new ImageLocation(
            random, step, 0, image.length(), 0, image.footerLength(), image.footerCrc()),
        image.sliceIndex());
  }

  private void write(long steps) throws IOException {
    long segments = (steps + FormatLimits.SEGMENT_STEPS - 1) / FormatLimits.SEGMENT_STEPS;
    long tailFirst = Math.max(0, segments - SEGMENTS_IN_TAIL) * FormatLimits.SEGMENT_STEPS;
    SegmentTree tree = SegmentTree.EMPTY;
    for (long step = 0; step < tailFirst; step += FormatLimits.SEGMENT_STEPS) {
      List<Chunk> chunks = chunks(step, step + FormatLimits.SEGMENT_STEPS);
      List<ByteBuffer> bytes = new Segment(chunks).encode(namespace);
      Id128 hash = Id128.hashOf(bytes);
      put(new SegmentTree.Reference(0, step / FormatLimits.SEGMENT_STEPS, hash).key(), bytes);
      tree = folded(tree.withSegment(step, hash));
    }
    putHead(steps, tailFirst, tree);
  }

  private SegmentTree folded(SegmentTree tree) throws IOException {
    SegmentTree folded = tree;
    for (int level = 1; level <= folded.levels().size(); level++) {
      Optional<IndexNode> node = folded.foldable(level);
      if (node.isPresent()) {
        List<ByteBuffer> bytes = node.get().encode(namespace);
        Id128 hash = Id128.hashOf(bytes);
        put(new SegmentTree.Reference(level, node.get().index(), hash).key(), bytes);
        folded = folded.fold(node.get(), hash);
      }
    }
    return folded;
  }

  private List<Chunk> chunks(long first, long end) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    for (long step = first; step < end; step += FormatLimits.CHUNK_STEPS) {
      List<Descriptor> descriptors = new ArrayList<>();
      for (long i = step; i < Math.min(end, step + FormatLimits.CHUNK_STEPS); i++) {
        long name = random.nextLong();
        Descriptor unpublished =
            readSteps.contains(i) ? stored(i, name) : descriptor(EPOCH, i, name);
        descriptors.add(unpublished.publishedIn(version(i)));
      }
      chunks.add(Chunk.of(DescriptorBlock.of(step, descriptors)));
    }
    return chunks;
  }

  /** The version of a step: the opening was version 1, and every step a version after it. */
  public static long version(long step) {
    return EPOCH + 1 + step;
  }

  private void putHead(long steps, long tailFirst, SegmentTree tree) throws IOException {
    long version = version(steps - 1);
    Boundary boundary = new Boundary(1, version - 1);
    Id128 commitId = new Id128(random.nextLong(), random.nextLong());
    String offset = offset(steps - 1);
    ProducerEntry producer =
        new ProducerEntry(
            PRODUCER, EPOCH, steps, Optional.of(offset), version, commitId, NO_UNKNOWN_FIELDS);
    Manifest head =
        new Manifest(
            header(version, commitId, steps, tailFirst, boundary),
            chunks(tailFirst, steps),
            tree,
            ProducerTable.EMPTY.withActive(producer),
            StreamTables.EMPTY.withSchema(Schema.RAW),
            List.of());
    put(Names.boundary(boundary.index()), boundary.encode(namespace));
    put(Names.manifest(version), head.encode(namespace));
    put(Names.HINT, new Hint(version, boundary.index()).encode(namespace));
  }

  private static ManifestHeader header(
      long version, Id128 commitId, long steps, long tailFirst, Boundary boundary) {
    return new ManifestHeader(
        version,
        commitId,
        CommitKind.PUBLISH,
        PRODUCER,
        EPOCH,
        0,
        steps,
        1,
        tailFirst,
        boundary,
        false,
        Optional.empty(),
        NO_UNKNOWN_FIELDS);
  }

  private void put(String key, List<ByteBuffer> bytes) throws IOException {
    store.put(key, Body.of(bytes));
  }
}
