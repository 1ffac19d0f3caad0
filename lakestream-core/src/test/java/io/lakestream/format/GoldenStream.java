// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.NONE;
import static io.lakestream.format.Samples.utf8;

import io.lakestream.model.CpLayout;
import io.lakestream.model.DType;
import io.lakestream.model.Mesh;
import io.lakestream.model.Rows;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.Tgb;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A small stream of format 1, object by object: versions 1 to 7 with five steps in all, each stored
 * in another way. Made of fixed values only.
 */
final class GoldenStream {
  static final String PRODUCER = "Pack 1";
  static final Mesh MESH = new Mesh(2, 2);
  static final Schema TENSORS =
      Schema.of(
          new TensorSpec("tokens", DType.I32, List.of(-1L, 16L), TensorSpec.Kind.SEQUENCE),
          new TensorSpec("mask", DType.U8, List.of(-1L, 16L, 2L), TensorSpec.Kind.SEQUENCE),
          new TensorSpec("label", DType.I64, List.of(-1L), TensorSpec.Kind.ROWS),
          new TensorSpec("temperature", DType.F32, List.of(), TensorSpec.Kind.SHARED));
  static final NamespaceRecord RECORD =
      new NamespaceRecord(NAMESPACE, MESH, List.of("put-if-absent", "strong-list"));
  static final long PART_BYTES = 128;

  private final Map<String, byte[]> objects = new TreeMap<>();
  private final List<Manifest> versions = new ArrayList<>();
  private Manifest head = Manifest.empty();

  private GoldenStream() {}

  /** The stream's objects by key. */
  static Map<String, byte[]> objects() {
    GoldenStream stream = new GoldenStream();
    stream.write();
    return stream.objects;
  }

  /** The stream's versions, from the first. */
  static List<Manifest> versions() {
    GoldenStream stream = new GoldenStream();
    stream.write();
    return stream.versions;
  }

  /** Slice (d,c) of a raw step. */
  static ByteBuffer payload(long step, int d, int c) {
    return utf8("step %d slice (%d,%d)".formatted(step, d, c) + "!".repeat(step == 3 ? d + c : 0));
  }

  static Tgb raw(long step) {
    var builder = Tgb.raw(MESH);
    for (int i = 0; i < MESH.cells(); i++) {
      int d = MESH.cell(i).d();
      int c = MESH.cell(i).c();
      builder.slice(d, c, payload(step, d, c), Rows.of(d + 1, c));
    }
    return step == 0 ? builder.provenance(utf8("shard-7.parquet")).build() : builder.build();
  }

  /** Two replicas of two rows: every element says where in the batch it is. */
  static Tgb tensors() {
    var builder = Tgb.tensors(MESH, TENSORS, CpLayout.ZIGZAG);
    for (int d = 0; d < 2; d++) {
      Rows rows = new Rows(1, 1, List.of(new Rows.Row(0, 16, 2), new Rows.Row(64, 0, 0)));
      builder.replica(d, rows, replica(d));
    }
    return builder.build();
  }

  private static Map<String, ByteBuffer> replica(int d) {
    ByteBuffer tokens = ByteBuffer.allocate(2 * 16 * 4).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer mask = ByteBuffer.allocate(2 * 16 * 2);
    for (int row = 0; row < 2; row++) {
      for (int position = 0; position < 16; position++) {
        tokens.putInt(1_000 * d + 100 * row + position);
        mask.put((byte) position).put((byte) (16 * d + row));
      }
    }
    ByteBuffer label = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    label.putLong(-1 - d).putLong(1L << 40);
    ByteBuffer temperature = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
    return Map.of(
        "tokens", tokens.flip(),
        "mask", mask.flip(),
        "label", label.flip(),
        "temperature", temperature.putFloat(0.5f).flip());
  }

  private void write() {
    objects.put(Names.NAMESPACE, RECORD.encode());
    openProducer();
    publish(List.of(store(0, raw(0))));
    publish(List.of(store(1, tensors())));
    publish(bundle());
    publish(List.of(parts()));
    retireProducer();
    sealStream();
    objects.put(Names.HINT, bytes(new Hint(6, 1).encode(NAMESPACE)));
    objects.put(Names.boundary(1), bytes(new Boundary(1, 1).encode(NAMESPACE)));
  }

  private static byte[] bytes(List<ByteBuffer> buffers) {
    return Samples.array(buffers);
  }

  private static TgbImage image(long seq, Tgb tgb) {
    return TgbImage.encode(
        NAMESPACE, tgb, new Footer.Stamp(PRODUCER, 1, seq, Long.toString(100 * (seq + 1))));
  }

  private static Descriptor descriptor(long seq, Tgb tgb, TgbImage image, ImageLocation place) {
    return new Descriptor(
        PRODUCER,
        1,
        seq,
        Long.toString(100 * (seq + 1)),
        0,
        place,
        image.sliceIndex(),
        tgb.cpLayout(),
        SchemaCodec.id(tgb.schema()),
        NONE);
  }

  private static ImageLocation place(
      TgbImage image, long random, long lastSeq, long offset, long partBytes) {
    return new ImageLocation(
        random,
        lastSeq,
        offset,
        image.length(),
        partBytes,
        image.footerLength(),
        image.footerCrc());
  }

  private Descriptor store(long seq, Tgb tgb) {
    TgbImage image = image(seq, tgb);
    long random = 0x1111_1111_1111_1111L * (seq + 1);
    objects.put(Names.data(PRODUCER, 1, seq, random), bytes(image.buffers()));
    return descriptor(seq, tgb, image, place(image, random, seq, 0, 0));
  }

  private List<Descriptor> bundle() {
    TgbImage second = image(2, raw(2));
    TgbImage third = image(3, raw(3));
    long random = 0xfedc_ba98_7654_3210L;
    List<ByteBuffer> buffers = new ArrayList<>(second.buffers());
    buffers.addAll(third.buffers());
    objects.put(Names.data(PRODUCER, 1, 3, random), bytes(buffers));
    return List.of(
        descriptor(2, raw(2), second, place(second, random, 3, 0, 0)),
        descriptor(3, raw(3), third, place(third, random, 3, second.length(), 0)));
  }

  private Descriptor parts() {
    TgbImage image = image(4, raw(4));
    byte[] all = bytes(image.buffers());
    for (int start = 0; start < all.length; start += (int) PART_BYTES) {
      int length = (int) Math.min(PART_BYTES, all.length - start);
      String key = Names.dataPart(PRODUCER, 1, 4, 5, start / PART_BYTES);
      objects.put(key, Arrays.copyOfRange(all, start, start + length));
    }
    return descriptor(4, raw(4), image, place(image, 5, 4, 0, PART_BYTES));
  }

  private void commit(
      CommitKind kind, String committer, List<Descriptor> published, Manifest next) {
    long version = head.version() + 1;
    ManifestHeader header =
        head.header()
            .successor(
                new Id128(0xc0ffee, version),
                kind,
                committer,
                committer.isEmpty() ? 0 : 1,
                version > 5 ? new Boundary(1, 1) : Boundary.NONE,
                published.size());
    List<Descriptor> descriptors =
        published.stream().map(descriptor -> descriptor.publishedIn(version)).toList();
    head =
        new Manifest(
            kind == CommitKind.SEAL ? header.sealed() : header,
            head.chunksWith(descriptors),
            next.tree(),
            next.producers(),
            next.tables(),
            List.of());
    versions.add(head);
    objects.put(Names.manifest(version), bytes(head.encode(NAMESPACE)));
  }

  private ProducerEntry entry(long nextSeq) {
    long version = head.version() + 1;
    Optional<String> offset =
        nextSeq == 0 ? Optional.empty() : Optional.of(Long.toString(100 * nextSeq));
    return new ProducerEntry(
        PRODUCER, 1, nextSeq, offset, version, new Id128(0xc0ffee, version), NONE);
  }

  private void openProducer() {
    Manifest next = head.withProducers(head.producers().withActive(entry(0)));
    commit(CommitKind.OPEN, PRODUCER, List.of(), next);
  }

  private void publish(List<Descriptor> descriptors) {
    long nextSeq = descriptors.get(descriptors.size() - 1).seq() + 1;
    StreamTables tables = head.tables().withSchema(nextSeq == 2 ? TENSORS : Schema.RAW);
    Manifest next =
        new Manifest(
            head.header(),
            head.chunks(),
            head.tree(),
            head.producers().withActive(entry(nextSeq)),
            tables,
            List.of());
    commit(CommitKind.PUBLISH, PRODUCER, descriptors, next);
  }

  private void retireProducer() {
    Manifest next = head.withProducers(head.producers().withRetired(entry(5)));
    commit(CommitKind.RETIRE, PRODUCER, List.of(), next);
  }

  private void sealStream() {
    commit(CommitKind.SEAL, "", List.of(), head);
  }
}
