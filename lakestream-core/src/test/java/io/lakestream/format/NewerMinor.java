// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.proto.SchemaMessage;
import io.lakestream.model.Schema;
import java.util.List;
import java.util.Optional;

/** A manifest as a writer of a newer minor version may have written it. */
final class NewerMinor {
  static final int SECTION_ID = 77;

  private NewerMinor() {}

  /** The manifest with {@code extra} in every message that may have more, and two more sections. */
  static Manifest everywhere(Manifest base, UnknownFieldSet extra) {
    DescriptorBlock block = base.chunks().get(0).decode("");
    List<Descriptor> descriptors =
        block.descriptors().stream().map(descriptor -> with(descriptor, extra)).toList();
    return new Manifest(
        with(base.header(), extra),
        List.of(Chunk.of(new DescriptorBlock(block.firstStep(), descriptors, extra))),
        new SegmentTree(base.tree().levels(), extra),
        producers(extra),
        tables(extra),
        List.of(section(SECTION_ID, "first"), section(-1, "second")));
  }

  static Section section(int id, String text) {
    return new Section(id, Samples.utf8(text), Checksum.of(Samples.utf8(text)));
  }

  private static ManifestHeader with(ManifestHeader header, UnknownFieldSet extra) {
    return new ManifestHeader(
        header.version(),
        header.commitId(),
        header.kind(),
        header.committer(),
        header.epoch(),
        header.firstStep(),
        header.nextStep(),
        header.newSteps(),
        header.tailFirst(),
        header.boundary(),
        header.isSealed(),
        header.trim(),
        extra);
  }

  private static Descriptor with(Descriptor descriptor, UnknownFieldSet extra) {
    return new Descriptor(
        descriptor.producer(),
        descriptor.epoch(),
        descriptor.seq(),
        descriptor.offset(),
        descriptor.version(),
        descriptor.image(),
        descriptor.sliceIndex(),
        descriptor.cpLayout(),
        descriptor.schemaId(),
        extra);
  }

  private static ProducerTable producers(UnknownFieldSet extra) {
    Id128 id = new Id128(1, 2);
    ProducerEntry active = new ProducerEntry("p", 1, 3, Optional.of("x"), 1, id, extra);
    ProducerEntry retired = new ProducerEntry("q", 1, 0, Optional.empty(), 1, id, extra);
    return new ProducerTable(
        List.of(active),
        List.of(retired),
        List.of(new ProducerTable.ArchiveRun(id, 1, 5, extra)),
        extra);
  }

  private static StreamTables tables(UnknownFieldSet extra) {
    SchemaMessage.Builder schema =
        SchemaCodec.toMessage(GoldenStream.TENSORS).toBuilder().setUnknownFields(extra);
    schema.getTensorsBuilder(0).setUnknownFields(extra);
    var stored = schema.build().toByteString();
    Schema known = GoldenStream.TENSORS;
    return new StreamTables(
        List.of(
            StreamTables.SchemaEntry.of(Schema.RAW),
            new StreamTables.SchemaEntry(SchemaCodec.id(stored), known, stored, extra)),
        List.of(new StreamTables.SkipRange(1, 2, "why", 0, extra)),
        List.of(new StreamTables.ForkSource("file:///a", Samples.OTHER_NAMESPACE, 3, extra)),
        extra);
  }
}
