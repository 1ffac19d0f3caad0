// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Records and bytes that the tests of the format start from. */
final class Samples {
  static final UUID NAMESPACE = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  static final UUID OTHER_NAMESPACE = UUID.fromString("ffeeddcc-bbaa-9988-7766-554433221100");
  static final UnknownFieldSet NONE = UnknownFieldSet.getDefaultInstance();

  /** A field that no message of this version has. */
  static final UnknownFieldSet NEWER =
      UnknownFieldSet.newBuilder()
          .addField(
              1_000,
              UnknownFieldSet.Field.newBuilder()
                  .addLengthDelimited(ByteString.copyFromUtf8("of a newer minor version"))
                  .addVarint(7)
                  .build())
          .build();

  private Samples() {}

  /** The bytes of buffers, end to end. */
  static ByteBuffer joined(List<ByteBuffer> buffers) {
    int length = buffers.stream().mapToInt(ByteBuffer::remaining).sum();
    ByteBuffer joined = ByteBuffer.allocate(length);
    buffers.forEach(buffer -> joined.put(buffer.duplicate()));
    return joined.flip();
  }

  static byte[] array(List<ByteBuffer> buffers) {
    return joined(buffers).array();
  }

  /** The record of a namespace with its checksum, so that nothing else can be wrong with it. */
  static String withCrc(String json) {
    String unchecked = json.replaceFirst(",\\s*\"crc32c\".*\\s*}", "}");
    int end = unchecked.lastIndexOf('}');
    String before = unchecked.substring(0, Math.max(0, end)) + ",";
    int crc = Checksum.of(utf8(before));
    return end < 0
        ? json
        : "%s\"crc32c\":\"%08x\"%s".formatted(before, crc, unchecked.substring(end));
  }

  static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static ImageLocation location(long random, long lastSeq) {
    return new ImageLocation(random, lastSeq, 0, 1_000, 0, 100, 0x01020304);
  }

  static Descriptor descriptor(String producer, long seq) {
    return new Descriptor(
        producer,
        1,
        seq,
        "offset " + seq,
        0,
        location(0x0123_4567_89ab_cdefL + seq, seq),
        new SliceIndex.Uniform(200),
        CpLayout.OPAQUE,
        SchemaCodec.id(Schema.RAW),
        NONE);
  }

  static List<Descriptor> descriptors(String producer, long firstSeq, int count) {
    List<Descriptor> descriptors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      descriptors.add(descriptor(producer, firstSeq + i));
    }
    return descriptors;
  }

  static ProducerEntry entry(String id, long epoch, long nextSeq) {
    Optional<String> offset =
        nextSeq == 0 ? Optional.empty() : Optional.of("offset " + (nextSeq - 1));
    return new ProducerEntry(id, epoch, nextSeq, offset, epoch, new Id128(epoch, 77), NONE);
  }

  /** The next version, which only adds descriptors. */
  static Manifest published(Manifest base, List<Descriptor> descriptors) {
    long version = base.version() + 1;
    ManifestHeader header =
        base.header()
            .successor(
                new Id128(version, 42),
                CommitKind.PUBLISH,
                descriptors.isEmpty() ? "" : descriptors.get(0).producer(),
                1,
                base.header().boundary(),
                descriptors.size());
    List<Chunk> chunks =
        base.chunksWith(descriptors.stream().map(d -> d.publishedIn(version)).toList());
    return new Manifest(
        header, chunks, base.tree(), base.producers(), base.tables(), base.unknown());
  }

  /** A version with a tail of {@code steps} steps, a producer and a schema. */
  static Manifest withTail(int steps) {
    Manifest manifest =
        Manifest.empty().withProducers(ProducerTable.EMPTY.withActive(entry("p", 1, steps)));
    Manifest withSchema =
        new Manifest(
            manifest.header(),
            manifest.chunks(),
            manifest.tree(),
            manifest.producers(),
            StreamTables.EMPTY.withSchema(Schema.RAW),
            List.of());
    return published(withSchema, descriptors("p", 0, steps));
  }

  /** A manifest relieved of its oldest segment. */
  static Manifest sealed(Manifest manifest) {
    Segment segment = manifest.sealable().orElseThrow();
    return manifest.withSealed(segment, Id128.hashOf(segment.encode(NAMESPACE)));
  }
}
