// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.joined;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Consumer;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.model.Cell;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Topology;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Format 1 is what the golden files are: they are read as what they were made of, and written again
 * to the same bytes. {@link GoldenFilesWriter} says how files for new kinds of object are added.
 */
class GoldenFilesTest {

  /** A golden manifest. */
  record ManifestFile(String name, Manifest manifest) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<ManifestFile> manifests() {
    return Stream.of(
        new ManifestFile("manifest-tail", GoldenObjects.tail()),
        new ManifestFile("manifest-tree", GoldenObjects.tree()),
        new ManifestFile("manifest-producers", GoldenObjects.producers()),
        new ManifestFile("manifest-tables", GoldenObjects.tables()),
        new ManifestFile("manifest-skips", GoldenObjects.skips()),
        new ManifestFile("manifest-trim", GoldenObjects.trim()),
        new ManifestFile("manifest-newer-minor", GoldenObjects.newerMinor()));
  }

  @Test
  void whatIsWrittenIsWhatIsCheckedIn() throws IOException {
    Map<String, byte[]> written = GoldenFiles.written();
    Map<String, byte[]> checkedIn = GoldenFiles.checkedIn();
    assertThat(checkedIn.keySet()).isEqualTo(written.keySet());
    written.forEach((name, bytes) -> assertThat(checkedIn.get(name)).as(name).isEqualTo(bytes));
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void aManifestIsReadAndWrittenAgain(ManifestFile file) throws IOException {
    ByteBuffer bytes = GoldenFiles.object(file.name());
    Manifest manifest = Manifest.decode(file.manifest().version(), NAMESPACE, bytes);
    assertThat(manifest).isEqualTo(file.manifest());
    assertThat(joined(manifest.encode(NAMESPACE))).isEqualTo(bytes);
    assertThat(manifest.bytes()).isEqualTo(bytes.remaining());
    for (Chunk chunk : manifest.chunks()) {
      assertThat(Chunk.of(chunk.decode(file.name()))).isEqualTo(chunk);
    }
  }

  @Test
  void theVersionsOfTheStreamAreReadAndWrittenAgain() throws IOException {
    List<Manifest> versions = GoldenStream.versions();
    assertThat(versions).hasSize(7);
    for (Manifest expected : versions) {
      ByteBuffer bytes = GoldenFiles.stream(Names.manifest(expected.version()));
      Manifest manifest = Manifest.decode(expected.version(), NAMESPACE, bytes);
      assertThat(manifest).isEqualTo(expected);
      assertThat(joined(manifest.encode(NAMESPACE))).isEqualTo(bytes);
    }
  }

  @Test
  void theNamespaceIsReadAndWrittenAgain() throws IOException {
    ByteBuffer bytes = GoldenFiles.stream(Names.NAMESPACE);
    NamespaceRecord record = NamespaceRecord.decode(bytes);
    assertThat(record).isEqualTo(GoldenStream.RECORD);
    assertThat(ByteBuffer.wrap(record.encode())).isEqualTo(bytes);
  }

  @Test
  void aGenerationIsReadAndWrittenAgain() throws IOException {
    for (Optional<Id128> launch : List.of(Optional.<Id128>empty(), GoldenObjects.LAUNCH)) {
      ByteBuffer bytes = GoldenFiles.object(launch.isEmpty() ? "generation" : "generation-launch");
      GenerationRecord record = GoldenObjects.generation(launch);
      assertThat(record.key())
          .isEqualTo("group/gro=c3=9fe=20l=c3=a4ufe/00000000000000000003/generation");
      assertThat(GenerationRecord.decode(record.generation().group(), 3, NAMESPACE, bytes))
          .isEqualTo(record);
      assertThat(joined(record.encode(NAMESPACE))).isEqualTo(bytes);
    }
  }

  @Test
  void aPinIsReadAndWrittenAgain() throws IOException {
    ByteBuffer bytes = GoldenFiles.object("pin");
    PinRecord pin = GoldenObjects.pin();
    assertThat(pin.key()).isEqualTo("pin/00000001099511627776-0123456789abcdef");
    assertThat(PinRecord.decode(pin.key(), NAMESPACE, bytes)).isEqualTo(pin);
    assertThat(joined(pin.encode(NAMESPACE))).isEqualTo(bytes);
  }

  @Test
  void aPinOfAForkIsReadAndWrittenAgain() throws IOException {
    ByteBuffer bytes = GoldenFiles.object("pin-fork");
    PinRecord pin = GoldenObjects.forkPin();
    assertThat(PinRecord.decode(pin.key(), NAMESPACE, bytes)).isEqualTo(pin);
    assertThat(joined(pin.encode(NAMESPACE))).isEqualTo(bytes);
  }

  @Test
  void hintAndBoundaryAreReadAndWrittenAgain() throws IOException {
    ByteBuffer hint = GoldenFiles.object("hint");
    assertThat(Hint.decode(NAMESPACE, hint)).isEqualTo(new Hint(1L << 40, 3));
    assertThat(joined(Hint.decode(NAMESPACE, hint).encode(NAMESPACE))).isEqualTo(hint);
    ByteBuffer boundary = GoldenFiles.object("boundary");
    assertThat(Boundary.decode(3, NAMESPACE, boundary)).isEqualTo(new Boundary(3, 1L << 40));
    assertThat(joined(Boundary.decode(3, NAMESPACE, boundary).encode(NAMESPACE)))
        .isEqualTo(boundary);
  }

  @Test
  void theSegmentIsReadAndWrittenAgain() throws IOException {
    ByteBuffer bytes = GoldenFiles.object("segment");
    Reference reference = new Reference(0, 2, Id128.hashOf(List.of(bytes)));
    Segment segment = Segment.decode(reference, NAMESPACE, bytes);
    assertThat(segment).isEqualTo(GoldenObjects.segment());
    assertThat(segment.firstStep()).isEqualTo(256);
    assertThat(joined(segment.encode(NAMESPACE))).isEqualTo(bytes);
    assertThat(segment.chunks().get(1).decode("").at(383).seq()).isEqualTo(383);
  }

  @Test
  void theNodesAreReadAndWrittenAgain() throws IOException {
    ByteBuffer full = GoldenFiles.object("node");
    Reference reference = new Reference(2, 1L << 33, Id128.hashOf(List.of(full)));
    IndexNode node = IndexNode.decode(reference, NAMESPACE, full);
    assertThat(node).isEqualTo(GoldenObjects.node());
    assertThat(joined(node.encode(NAMESPACE))).isEqualTo(full);
    ByteBuffer partial = GoldenFiles.object("node-after-trim");
    Reference first = new Reference(1, 3, Id128.hashOf(List.of(partial)));
    IndexNode trimmed = IndexNode.decode(first, NAMESPACE, partial);
    assertThat(trimmed).isEqualTo(GoldenObjects.nodeAfterTrim());
    assertThat(trimmed.childAt(16_383)).isEqualTo(new Reference(0, 127, new Id128(3, 4)));
    assertThat(trimmed.childAt(16_255)).isEqualTo(new Reference(0, 126, new Id128(1, 2)));
    assertThat(joined(trimmed.encode(NAMESPACE))).isEqualTo(partial);
  }

  @Test
  void theArchiveIsReadAndWrittenAgain() throws IOException {
    ByteBuffer bytes = GoldenFiles.object("archive");
    String key = Names.archive(Id128.hashOf(List.of(bytes)));
    ProducerArchive archive = ProducerArchive.decode(key, NAMESPACE, bytes);
    assertThat(archive).isEqualTo(GoldenObjects.archive());
    assertThat(archive.entry("a").orElseThrow().nextSeq()).isEqualTo(5);
    assertThat(joined(archive.encode(NAMESPACE))).isEqualTo(bytes);
  }

  @Test
  void theTensorsAreReadAsTheyWereMade() throws IOException {
    Manifest version = GoldenStream.versions().get(2);
    Descriptor descriptor = version.chunks().get(0).decode("").at(1);
    ByteBuffer object = GoldenFiles.stream(descriptor.objectKeys().get(0));
    TgbImage.checkHeader("tgb", NAMESPACE, object);
    SliceIndex.Range range = descriptor.image().footer();
    Footer footer =
        Footer.decode(
            "tgb",
            descriptor.image().footerCrc(),
            object.slice((int) range.offset(), (int) range.length()));
    assertThat(footer.schema()).isEqualTo(GoldenStream.TENSORS);
    assertThat(footer.mesh()).isEqualTo(GoldenStream.MESH);
    assertThat(footer.writer()).isEqualTo(new Footer.Stamp("Pack 1", 1, 1, "200"));
    assertThat(footer.slices().get(3).rows().table()).hasSize(2);
    assertThat(ByteBuffer.wrap(footer.encode()))
        .isEqualTo(object.slice((int) range.offset(), (int) range.length()));
  }

  @Test
  void theWholeStreamIsReadThroughTheProductsInterface() throws Exception {
    MemoryStore store = new MemoryStore();
    for (Map.Entry<String, byte[]> file : GoldenFiles.checkedIn().entrySet()) {
      if (file.getKey().startsWith("stream/")) {
        store.put(file.getKey().substring("stream/".length()), Body.of(file.getValue()));
      }
    }
    try (Namespace stream = Lakestream.open(store, "memory:///golden", Environment.system())) {
      for (int i = 0; i < GoldenStream.MESH.cells(); i++) {
        Cell cell = GoldenStream.MESH.cell(i);
        try (Consumer consumer = stream.consumer(new Topology(stream.mesh(), cell))) {
          for (int step = 0; step < 5; step++) {
            checkStep(consumer.next().orElseThrow(), step, cell);
          }
          assertThat(consumer.next()).isEmpty();
        }
      }
    }
  }

  private static void checkStep(RankBatch batch, int step, Cell cell) {
    assertThat(batch.step()).isEqualTo(step);
    if (step != 1) {
      assertThat(batch.payload()).isEqualTo(GoldenStream.payload(step, cell.d(), cell.c()));
      return;
    }
    List<Integer> positions =
        cell.c() == 0 ? List.of(0, 1, 2, 3, 12, 13, 14, 15) : List.of(4, 5, 6, 7, 8, 9, 10, 11);
    ByteBuffer tokens = batch.tensor("tokens").data();
    ByteBuffer mask = batch.tensor("mask").data();
    ByteBuffer label = batch.tensor("label").data();
    ByteBuffer temperature = batch.tensor("temperature").data();
    for (int row = 0; row < 2; row++) {
      for (int position : positions) {
        assertThat(tokens.getInt()).isEqualTo(1_000 * cell.d() + 100 * row + position);
        assertThat(mask.get()).isEqualTo((byte) position);
        assertThat(mask.get()).isEqualTo((byte) (16 * cell.d() + row));
      }
    }
    assertThat(label.getLong()).isEqualTo(-1 - cell.d());
    assertThat(label.getLong()).isEqualTo(1L << 40);
    assertThat(temperature.getFloat()).isEqualTo(0.5f);
    assertThat(List.of(tokens, mask, label, temperature)).noneMatch(ByteBuffer::hasRemaining);
  }
}
