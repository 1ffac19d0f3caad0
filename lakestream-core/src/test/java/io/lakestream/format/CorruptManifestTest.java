// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.OTHER_NAMESPACE;
import static io.lakestream.format.Samples.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.lakestream.format.proto.ArchiveRunMessage;
import io.lakestream.format.proto.ForkSourceMessage;
import io.lakestream.format.proto.LevelMessage;
import io.lakestream.format.proto.ManifestHeaderMessage;
import io.lakestream.format.proto.ProducerEntryMessage;
import io.lakestream.format.proto.ProducerTableMessage;
import io.lakestream.format.proto.SchemaEntryMessage;
import io.lakestream.format.proto.SegmentTreeMessage;
import io.lakestream.format.proto.SkipRangeMessage;
import io.lakestream.format.proto.TablesMessage;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.UnsupportedFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong with a manifest, its reader is told which object and where, and no more. */
class CorruptManifestTest {
  private static final Manifest GOOD = Samples.withTail(130);
  private static final String KEY = Names.manifest(1);

  private static List<Section> sections() {
    ByteBuffer bytes = joined(GOOD.encode(NAMESPACE));
    return new ArrayList<>(Envelope.decode(KEY, ObjectKind.MANIFEST, NAMESPACE, bytes).sections());
  }

  private static ByteBuffer of(List<Section> sections) {
    return joined(new Envelope(ObjectKind.MANIFEST, NAMESPACE, sections).encode());
  }

  /** The good manifest with one section changed; its checksums are right again. */
  private static ByteBuffer with(int id, Message changed) {
    List<Section> sections = sections();
    sections.replaceAll(section -> section.id() == id ? Section.of(id, changed) : section);
    return of(sections);
  }

  private static ByteBuffer withHeader(UnaryOperator<ManifestHeaderMessage.Builder> change) {
    var message = GOOD.header().toMessage().toBuilder();
    return with(ManifestCodec.HEADER, change.apply(message).build());
  }

  private static void assertCorrupt(ByteBuffer bytes, String place) {
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> Manifest.decode(1, NAMESPACE, bytes))
        .withMessageContaining(KEY)
        .withMessageContaining(place);
  }

  /** Both readers refuse it: the one that reads all and the one that reads the start. */
  private static void assertCorruptHeader(ByteBuffer bytes, String place) {
    assertCorrupt(bytes, place);
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> PartialManifest.decode(1, NAMESPACE, bytes))
        .withMessageContaining(KEY)
        .withMessageContaining(place);
  }

  @Test
  void theGoodOneIsGood() {
    assertThat(Manifest.decode(1, NAMESPACE, of(sections()))).isEqualTo(GOOD);
  }

  @Test
  void anyFlippedBitIsNoticed() {
    byte[] bytes = Samples.array(Samples.withTail(2).encode(NAMESPACE));
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> Manifest.decode(1, NAMESPACE, ByteBuffer.wrap(damaged)))
          .as("bit %d", bit)
          .isInstanceOfAny(CorruptObject.class, UnsupportedFormat.class)
          .hasMessageContaining(KEY);
    }
  }

  @Test
  void aCutOffManifestIsCorruptWhereverItEnds() {
    byte[] bytes = Samples.array(GOOD.encode(NAMESPACE));
    for (int length = 0; length < bytes.length; length += 1 + length / 100) {
      assertCorrupt(ByteBuffer.wrap(Arrays.copyOf(bytes, length)), "expected");
    }
  }

  @Test
  void randomSectionsWithRightChecksumsAreManifestsOrCorrupt() {
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      List<Section> sections = sections();
      int place = random.nextInt(sections.size());
      Section chosen = sections.get(place);
      if (chosen.body().remaining() == 0) {
        continue;
      }
      byte[] body = new byte[chosen.body().remaining()];
      chosen.body().get(body);
      for (int i = 0; i <= random.nextInt(4); i++) {
        body[random.nextInt(body.length)] = (byte) random.nextInt();
      }
      ByteBuffer changed = ByteBuffer.wrap(body, 0, body.length - random.nextInt(2));
      sections.set(place, new Section(chosen.id(), changed, Checksum.of(changed)));
      checkReadOrCorrupt(of(sections), "seed " + seed);
    }
  }

  private static void checkReadOrCorrupt(ByteBuffer bytes, String context) {
    try {
      Manifest manifest = Manifest.decode(1, NAMESPACE, bytes);
      manifest.chunks().forEach(chunk -> chunk.decode(KEY));
      assertThat(manifest.bytes()).as(context).isPositive();
    } catch (CorruptObject | UnsupportedFormat e) {
      assertThat(e).as(context).hasMessageContaining("manifest/");
    }
  }

  @Test
  void anotherVersionUnderTheKeyIsRefused() {
    ByteBuffer bytes = of(sections());
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> Manifest.decode(2, NAMESPACE, bytes))
        .withMessageContaining(Names.manifest(2) + " is corrupt at its header")
        .withMessageContaining("expected the header of version 2, found version 1");
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> PartialManifest.decode(2, NAMESPACE, bytes))
        .withMessageContaining("found version 1");
  }

  @Test
  void aManifestOfAnotherNamespaceIsRefused() {
    assertCorruptHeader(joined(GOOD.encode(OTHER_NAMESPACE)), "bytes 8-23");
  }

  @Test
  void anotherKindOfObjectIsRefused() {
    assertCorruptHeader(joined(new Hint(1, 1).encode(NAMESPACE)), "bytes 4-5");
  }

  @Test
  void aHeaderThatIsNotFirstIsRefused() {
    List<Section> sections = sections();
    sections.add(2, sections.remove(0));
    assertCorruptHeader(of(sections), "its directory: expected the header as first section");
    assertCorruptHeader(of(List.of()), "its directory: expected the header as first section");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5})
  void aSectionThatIsMissingOrDoubledIsRefused(int id) {
    List<Section> without = sections();
    without.removeIf(section -> section.id() == id);
    assertCorrupt(of(without), "its directory");
    List<Section> twice = sections();
    twice.addAll(twice.stream().filter(section -> section.id() == id).toList());
    assertCorrupt(of(twice), "its directory: expected one section " + id + ", found 2 of them");
  }

  @Test
  void aReaderOfTheStartNoticesATreeThatIsMissingOrDoubled() {
    List<Section> twice = sections();
    twice.add(twice.stream().filter(section -> section.id() == 3).findFirst().orElseThrow());
    List<Section> without = sections();
    without.removeIf(section -> section.id() == 5);
    PartialManifest doubled = PartialManifest.decode(1, NAMESPACE, of(twice));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(doubled::treeEntry)
        .withMessageContaining("expected one section 3, found 2 of them");
    PartialManifest missing = PartialManifest.decode(1, NAMESPACE, of(without));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(missing::tablesEntry)
        .withMessageContaining(KEY)
        .withMessageContaining("expected one section 5, found 0 of them");
  }

  @Test
  void chunksThatAreMissingOrTooManyAreRefused() {
    List<Section> sections = sections();
    Section oldest = sections.remove(3);
    assertCorruptHeader(of(sections), "its");
    sections.add(3, oldest);
    sections.add(3, oldest);
    assertCorruptHeader(of(sections), "its tail");
  }

  @Test
  void chunksOutOfOrderAreNoticedWhenTheyAreDecoded() {
    List<Section> sections = sections();
    sections.add(3, sections.remove(2));
    Manifest manifest = Manifest.decode(1, NAMESPACE, of(sections));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> manifest.chunks().get(0).decode(KEY))
        .withMessageContaining("expected steps 0 to 63, found steps 64 to 127");
  }

  @Test
  void aTailThatIsDamagedBehindItsChecksumStopsAnAppend() {
    List<Section> sections = sections();
    ByteBuffer nonsense = Samples.utf8("nonsense");
    sections.set(1, new Section(2, nonsense, Checksum.of(nonsense)));
    Manifest manifest = Manifest.decode(1, NAMESPACE, of(sections));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> manifest.chunksWith(Samples.descriptors("p", 130, 1)))
        .withMessageContaining(KEY + " is corrupt at a descriptor block");
  }

  @Test
  void aHeaderThatIsNoMessageIsRefused() {
    List<Section> sections = sections();
    ByteBuffer nonsense = ByteBuffer.wrap(new byte[] {-1, -1, -1});
    sections.set(0, new Section(1, nonsense, Checksum.of(nonsense)));
    assertCorruptHeader(of(sections), "its header");
  }

  @Test
  void aCommitIdOfAnotherLengthIsRefused() {
    for (int length : new int[] {0, 15, 17, 32}) {
      ByteString id = ByteString.copyFrom(new byte[length]);
      assertCorruptHeader(
          withHeader(header -> header.setCommitId(id)),
          "its commit id: expected 16 bytes, found %d bytes".formatted(length));
    }
  }

  @Test
  void aTrimWithoutAnOwnerIsRefused() {
    assertCorruptHeader(withHeader(header -> header.setTrimIntent(1)), "the owner of its trim");
    ByteString owner = ByteString.copyFrom(new byte[16]);
    assertCorruptHeader(
        withHeader(header -> header.setTrimIntent(-1).setTrimOwner(owner)),
        "found a trim to step -1");
  }

  @Test
  void numbersThatCannotBeAreRefused() {
    List<UnaryOperator<ManifestHeaderMessage.Builder>> changes =
        List.of(
            header -> header.setEpoch(-1),
            header -> header.setFirstStep(-1),
            header -> header.setFirstStep(131),
            header -> header.setNextStep(-1),
            header -> header.setNewSteps(-1),
            header -> header.setNewSteps(131),
            header -> header.setTailFirst(-128),
            header -> header.setTailFirst(256),
            header -> header.setTailFirst(64),
            header -> header.setNextStep(513),
            header -> header.setNextStep(Long.MAX_VALUE),
            header -> header.setBoundaryIndex(-1).setBoundaryVersion(1),
            header -> header.setBoundaryIndex(1).setBoundaryVersion(-1),
            header -> header.setBoundaryIndex(1).setBoundaryVersion(0));
    for (int i = 0; i < changes.size(); i++) {
      ByteBuffer bytes = withHeader(changes.get(i));
      assertThatExceptionOfType(CorruptObject.class)
          .as("change %d", i)
          .isThrownBy(() -> PartialManifest.decode(1, NAMESPACE, bytes))
          .withMessageContaining(KEY + " is corrupt at its header");
      assertCorrupt(bytes, "its header");
    }
  }

  @Test
  void aTailThatIsLongerOrShorterThanItsChunksIsRefused() {
    assertCorruptHeader(withHeader(header -> header.setNextStep(193)), "its");
    assertCorruptHeader(withHeader(header -> header.setNextStep(128).setNewSteps(0)), "its tail");
    Manifest shorter =
        Manifest.decode(1, NAMESPACE, withHeader(h -> h.setNextStep(129).setNewSteps(0)));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> shorter.chunks().get(2).decode(KEY))
        .withMessageContaining("expected steps 128 to 128, found steps 128 to 129");
  }

  private static ByteBuffer withTree(LevelMessage... levels) {
    SegmentTreeMessage.Builder tree = SegmentTreeMessage.newBuilder();
    Arrays.asList(levels).forEach(tree::addLevels);
    return with(ManifestCodec.TREE, tree.build());
  }

  private static LevelMessage level(long first, int bytes) {
    return LevelMessage.newBuilder()
        .setFirst(first)
        .setHashes(ByteString.copyFrom(new byte[bytes]))
        .build();
  }

  @Test
  void aTreeThatCannotBeIsRefused() {
    assertCorrupt(withTree(level(0, 15)), "its hashes: expected 16 bytes each, found 15 bytes");
    assertCorrupt(withTree(level(-1, 16)), "its segment tree");
    assertCorrupt(withTree(level(Long.MAX_VALUE, 16)), "its segment tree");
    assertCorrupt(withTree(level(Long.MAX_VALUE / 128, 16)), "its segment tree");
    assertCorrupt(withTree(level(32, 16), level(0, 32)), "level 1 of the segment tree ends at 2");
    assertCorrupt(withTree(level(32, 16), level(1, 0)), "an empty level 1 on top");
    LevelMessage[] many = new LevelMessage[13];
    Arrays.fill(many, level(0, 0));
    assertCorrupt(withTree(many), "a segment tree of 13 levels");
  }

  @Test
  void aTreeThatDoesNotReachTheTailIsRefused() {
    assertCorrupt(withTree(level(0, 16)), "segments of steps 0 to 128");
    ByteBuffer bytes = joined(GoldenObjects.tree().encode(NAMESPACE));
    Manifest good = Manifest.decode(1_000, NAMESPACE, bytes);
    assertThatThrownBy(() -> good.withTree(SegmentTree.EMPTY)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> good.withTree(good.tree().trimmedTo(4_096)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("segments of steps 4096 to 4480 in a stream from step 1000");
  }

  private static ByteBuffer withProducers(ProducerTableMessage.Builder table) {
    return with(ManifestCodec.PRODUCERS, table.build());
  }

  private static ProducerEntryMessage.Builder entry(String id) {
    return Samples.entry(id, 1, 1).toMessage().toBuilder();
  }

  @Test
  void producersThatCannotBeAreRefused() {
    for (ProducerEntryMessage.Builder entry :
        List.of(
            entry("p").setEpoch(-1),
            entry("p").setNextSeq(-1),
            entry("p").setLastVersion(-1),
            entry("p").setOffset("x".repeat(65)),
            entry(""),
            entry("x".repeat(65)))) {
      assertCorrupt(
          withProducers(ProducerTableMessage.newBuilder().addActive(entry)), "its producers");
      assertCorrupt(
          withProducers(ProducerTableMessage.newBuilder().addRetired(entry)), "its producers");
    }
    assertCorrupt(
        withProducers(
            ProducerTableMessage.newBuilder()
                .addActive(entry("p").setLastCommitId(ByteString.EMPTY))),
        "the entry of producer p: expected 16 bytes, found 0 bytes");
    assertCorrupt(
        withProducers(
            ProducerTableMessage.newBuilder().addActive(entry("p")).addActive(entry("p"))),
        "two active entries of one producer");
  }

  @Test
  void anArchiveRunThatCannotBeIsRefusedAndNotForgotten() {
    ByteString hash = ByteString.copyFrom(new byte[16]);
    ArchiveRunMessage.Builder run = ArchiveRunMessage.newBuilder().setHash(hash);
    assertCorrupt(
        withProducers(
            ProducerTableMessage.newBuilder().addArchive(run.clone().setHash(ByteString.EMPTY))),
        "the hash of an archive run: expected 16 bytes");
    assertCorrupt(
        withProducers(ProducerTableMessage.newBuilder().addArchive(run.clone().setLevel(-1))),
        "its producers");
    assertCorrupt(
        withProducers(ProducerTableMessage.newBuilder().addArchive(run.clone().setEntries(-1))),
        "its producers");
  }

  @Test
  void tablesThatCannotBeAreRefusedAndNotForgotten() {
    ForkSourceMessage.Builder source =
        ForkSourceMessage.newBuilder().setUuid(ByteString.copyFrom(new byte[16]));
    SchemaEntryMessage schema = GOOD.tables().toMessage().getSchemas(0);
    for (TablesMessage.Builder tables :
        List.of(
            TablesMessage.newBuilder().addSkips(SkipRangeMessage.newBuilder().setFirst(1)),
            TablesMessage.newBuilder()
                .addSkips(SkipRangeMessage.newBuilder().setFirst(-2).setLast(-1)),
            TablesMessage.newBuilder().addSkips(SkipRangeMessage.newBuilder().setVersion(-1)),
            TablesMessage.newBuilder().addSources(source.clone().setEndStep(-1)),
            TablesMessage.newBuilder()
                .addSchemas(schema.toBuilder().setSchema(ByteString.copyFromUtf8("no"))),
            TablesMessage.newBuilder().addSchemas(schema.toBuilder().setId(1)))) {
      assertCorrupt(with(ManifestCodec.TABLES, tables.build()), "is corrupt at");
    }
    assertCorrupt(
        with(
            ManifestCodec.TABLES,
            TablesMessage.newBuilder().addSources(source.clone().clearUuid()).build()),
        "the uuid of a fork's source: expected 16 bytes, found 0 bytes");
  }
}
