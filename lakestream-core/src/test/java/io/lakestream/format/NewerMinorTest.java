// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.NEWER;
import static io.lakestream.format.Samples.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.commit.OpenChange;
import io.lakestream.commit.PublishChange;
import io.lakestream.commit.RetireChange;
import io.lakestream.commit.Term;
import io.lakestream.format.proto.DescriptorBlockMessage;
import io.lakestream.format.proto.FooterMessage;
import io.lakestream.format.proto.ManifestHeaderMessage;
import io.lakestream.format.proto.SchemaMessage;
import io.lakestream.format.proto.TensorMessage;
import io.lakestream.model.Schema;
import io.lakestream.model.UnsupportedFormat;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a newer minor version adds is kept by this one, and what it cannot read it says so. */
class NewerMinorTest {
  private static final Id128 COMMIT = new Id128(8, 9);

  /** A manifest of a newer minor version as this version reads it. */
  private static Manifest stored() {
    Manifest written = NewerMinor.everywhere(Samples.withTail(3), NEWER);
    return reread(written);
  }

  private static Manifest reread(Manifest manifest) {
    return Manifest.decode(manifest.version(), NAMESPACE, joined(manifest.encode(NAMESPACE)));
  }

  @Test
  void aManifestIsWrittenAgainByteForByte() {
    Manifest written = NewerMinor.everywhere(Samples.withTail(3), NEWER);
    ByteBuffer bytes = joined(written.encode(NAMESPACE));
    assertThat(joined(stored().encode(NAMESPACE))).isEqualTo(bytes);
    assertThat(stored()).isEqualTo(written);
  }

  @Test
  void aPublicationKeepsAllThatIsUnknown() {
    Descriptor fourth = Samples.descriptor("p", 3);
    PublishChange change =
        new PublishChange(
            COMMIT, new Term("p", 1), List.of(fourth), List.of(Schema.RAW), SchemaChange.ALLOWED);
    Manifest next = reread(change.apply(stored(), Boundary.NONE).orElseThrow());
    assertUnknownKept(next);
    assertThat(next.producers().active("p").orElseThrow().nextSeq()).isEqualTo(4);
    DescriptorBlock block = next.chunks().get(0).decode("");
    assertThat(block.extra()).isEqualTo(NEWER);
    assertThat(block.descriptors())
        .extracting(Descriptor::extra)
        .containsExactly(NEWER, NEWER, NEWER, UnknownFieldSet.getDefaultInstance());
  }

  @Test
  void anOpeningKeepsAllThatIsUnknown() {
    List<ProducerTable.ArchiveRun> runs = stored().producers().archive();
    OpenChange change = new OpenChange(COMMIT, "new", runs, Optional.empty());
    assertUnknownKept(reread(change.apply(stored(), Boundary.NONE).orElseThrow()));
  }

  @Test
  void aRetirementKeepsAllThatIsUnknown() {
    RetireChange change = new RetireChange(COMMIT, new Term("p", 1));
    Manifest next = reread(change.apply(stored(), Boundary.NONE).orElseThrow());
    assertUnknownKept(next);
    assertThat(next.producers().retired("p").orElseThrow().extra()).isEqualTo(NEWER);
  }

  private static void assertUnknownKept(Manifest next) {
    Manifest base = stored();
    assertThat(next.unknown()).isEqualTo(base.unknown()).hasSize(2);
    assertThat(next.header().extra()).isEqualTo(NEWER);
    assertThat(next.tree().extra()).isEqualTo(NEWER);
    assertThat(next.tables().extra()).isEqualTo(base.tables().extra());
    assertThat(next.tables().skips()).isEqualTo(base.tables().skips());
    assertThat(next.tables().sources()).isEqualTo(base.tables().sources());
    assertThat(next.tables().schemas())
        .containsExactlyInAnyOrderElementsOf(base.tables().schemas());
    assertThat(next.producers().extra()).isEqualTo(NEWER);
    assertThat(next.producers().archive()).isEqualTo(base.producers().archive());
    assertThat(next.producers().retired("q")).isEqualTo(base.producers().retired("q"));
  }

  @Test
  void aTreeThatGrowsFoldsAndIsTrimmedKeepsWhatIsUnknown() {
    SegmentTree tree = new SegmentTree(List.of(), NEWER);
    for (int i = 0; i < FormatLimits.FAN_OUT; i++) {
      tree = tree.withSegment(i * 128L, new Id128(0, i));
    }
    tree = tree.fold(tree.foldable(1).orElseThrow(), new Id128(1, 0)).trimmedTo(200);
    assertThat(tree.extra()).isEqualTo(NEWER);
    assertThat(SegmentTree.fromMessage("key", tree.toMessage())).isEqualTo(tree);
  }

  @Test
  void sectionsNotKnownMayBeAmongTheKnownOnes() {
    Envelope envelope =
        Envelope.decode(
            Names.manifest(1),
            ObjectKind.MANIFEST,
            NAMESPACE,
            joined(Samples.withTail(3).encode(NAMESPACE)));
    List<Section> sections = new ArrayList<>(envelope.sections());
    sections.add(1, NewerMinor.section(0, "zero"));
    sections.add(3, NewerMinor.section(99, "more"));
    ByteBuffer bytes = joined(new Envelope(ObjectKind.MANIFEST, NAMESPACE, sections).encode());
    Manifest manifest = Manifest.decode(1, NAMESPACE, bytes);
    assertThat(manifest.unknown()).extracting(Section::id).containsExactly(0, 99);
    assertThat(manifest.chunks()).isEqualTo(Samples.withTail(3).chunks());
    PartialManifest partial = PartialManifest.decode(1, NAMESPACE, bytes);
    EnvelopeDirectory.Entry entry = partial.chunkEntry(2);
    assertThat(partial.chunk(2, partial.bytes(entry))).isEqualTo(manifest.chunks().get(0));
  }

  @Test
  void sectionsNotKnownAreLeftAsideInOtherObjects() {
    Section more = NewerMinor.section(9, "more");
    Hint hint = new Hint(5, 6);
    Envelope envelope =
        Envelope.decode(Names.HINT, ObjectKind.HINT, NAMESPACE, joined(hint.encode(NAMESPACE)));
    List<Section> sections = List.of(more, envelope.sections().get(0));
    ByteBuffer bytes = joined(new Envelope(ObjectKind.HINT, NAMESPACE, sections).encode());
    assertThat(Hint.decode(NAMESPACE, bytes)).isEqualTo(hint);
    Segment segment = GoldenObjects.segment();
    List<Section> chunks = new ArrayList<>(segment.chunks().stream().map(Chunk::section).toList());
    chunks.add(1, more);
    ByteBuffer longer = joined(new Envelope(ObjectKind.SEGMENT, NAMESPACE, chunks).encode());
    SegmentTree.Reference reference = new SegmentTree.Reference(0, 2, new Id128(0, 0));
    assertThat(Segment.decode(reference, NAMESPACE, longer)).isEqualTo(segment);
  }

  @Test
  void aReasonForACommitThatIsNotKnownDoesNotStopAReader() {
    ManifestHeader header = Samples.withTail(3).header();
    ManifestHeaderMessage message = header.toMessage().toBuilder().setKindValue(99).build();
    ManifestHeader read = ManifestHeader.fromMessage("key", message);
    assertThat(read.kind()).isEqualTo(CommitKind.OTHER);
    assertThat(ManifestHeader.fromMessage("key", read.toMessage())).isEqualTo(read);
  }

  @Test
  void aSchemaThatCannotBeInterpretedAsksForAnUpgrade() {
    SchemaMessage known = SchemaCodec.toMessage(GoldenStream.TENSORS);
    TensorMessage tensor = known.getTensors(0);
    for (SchemaMessage unknown :
        List.of(
            known.toBuilder().setContentTypeValue(9).build(),
            known.toBuilder().setTensors(0, tensor.toBuilder().setKindValue(9)).build(),
            known.toBuilder().setTensors(0, tensor.toBuilder().setDtype("F4")).build())) {
      assertThatExceptionOfType(UnsupportedFormat.class)
          .isThrownBy(() -> SchemaCodec.fromMessage("some/key", unknown))
          .withMessageContaining("some/key has the ")
          .withMessageContaining("upgrade Lakestream");
    }
  }

  @Test
  void aContextLayoutThatIsNotKnownAsksForAnUpgrade() throws Exception {
    TgbImage image =
        TgbImage.encode(NAMESPACE, GoldenStream.raw(0), new Footer.Stamp("p", 1, 0, ""));
    ByteBuffer footer = image.buffers().get(image.buffers().size() - 2);
    ByteBuffer newer =
        ByteBuffer.wrap(
            FooterMessage.parseFrom(footer).toBuilder().setCpLayoutValue(9).build().toByteArray());
    assertThatExceptionOfType(UnsupportedFormat.class)
        .isThrownBy(() -> Footer.decode("some/key", Checksum.of(newer), newer))
        .withMessageContaining("the context layout 9");
  }

  @Test
  void aLayoutInADescriptorThatIsNotKnownAsksForAnUpgrade() throws Exception {
    DescriptorBlock block = DescriptorBlock.of(0, Samples.descriptors("p", 0, 1));
    DescriptorBlockMessage.Builder message =
        DescriptorBlockMessage.parseFrom(block.encode()).toBuilder();
    message.getDescriptorsBuilder(0).setCpLayoutValue(9);
    ByteBuffer newer = ByteBuffer.wrap(message.build().toByteArray());
    assertThatExceptionOfType(UnsupportedFormat.class)
        .isThrownBy(() -> DescriptorBlock.decode("some/key", newer))
        .withMessageContaining("some/key has the context layout 9");
  }

  @Test
  void aFieldOfTheNamespaceThatIsNotKnownIsLeftAside() {
    String json = new String(GoldenStream.RECORD.encode(), java.nio.charset.StandardCharsets.UTF_8);
    String newer = json.replaceFirst("\\{", "{\"more\": {\"a\": [1, {}]}, \"few\": [2],\"n\": 3,");
    assertThat(NamespaceRecord.decode(Samples.utf8(Samples.withCrc(newer))))
        .isEqualTo(GoldenStream.RECORD);
  }
}
