// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static io.lakestream.format.Samples.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.format.ManifestHeader.TrimIntent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A manifest's extent always fits its chunks and segments, and its first bytes lead to the rest.
 */
class ManifestTest {
  private static final Boundary BOUNDARY = new Boundary(4, 9);

  private static PartialManifest partial(Manifest manifest, int bytes) {
    ByteBuffer all = joined(manifest.encode(NAMESPACE));
    ByteBuffer start = all.slice(0, Math.min(bytes, all.remaining()));
    return PartialManifest.decode(manifest.version(), NAMESPACE, start);
  }

  @Test
  void anEmptyStreamHasNothing() {
    Manifest empty = Manifest.empty();
    assertThat(empty.version()).isZero();
    assertThat(empty.tailSteps()).isZero();
    assertThat(empty.tailBytes()).isZero();
    assertThat(empty.sealable()).isEmpty();
    assertThat(empty.header().boundary()).isEqualTo(Boundary.NONE);
    assertThat(empty.bytes()).isEqualTo(joined(empty.encode(NAMESPACE)).remaining());
  }

  @Test
  void theNextHeaderCountsOn() {
    ManifestHeader base = Samples.withTail(130).header();
    ManifestHeader next = base.successor(new Id128(7, 8), CommitKind.SKIP, "q", 5, BOUNDARY, 3);
    assertThat(next.version()).isEqualTo(2);
    assertThat(next.commitId()).isEqualTo(new Id128(7, 8));
    assertThat(next.kind()).isEqualTo(CommitKind.SKIP);
    assertThat(next.committer()).isEqualTo("q");
    assertThat(next.epoch()).isEqualTo(5);
    assertThat(next.firstStep()).isZero();
    assertThat(next.nextStep()).isEqualTo(133);
    assertThat(next.newSteps()).isEqualTo(3);
    assertThat(next.tailFirst()).isZero();
    assertThat(next.boundary()).isEqualTo(BOUNDARY);
    assertThat(next.isSealed()).isFalse();
    assertThat(next.sealed().isSealed()).isTrue();
    assertThat(
            next.sealed()
                .withTailFirst(128)
                .successor(new Id128(1, 1), CommitKind.TRIM, "", 0, BOUNDARY, 0)
                .isSealed())
        .isTrue();
    assertThat(next.withTailFirst(128).tailFirst()).isEqualTo(128);
  }

  @Test
  void everyReasonForACommitComesBack() {
    for (CommitKind kind : CommitKind.values()) {
      ManifestHeader header =
          Manifest.empty().header().successor(new Id128(1, 2), kind, "", 0, BOUNDARY, 0);
      assertThat(ManifestHeader.fromMessage("key", header.toMessage())).isEqualTo(header);
    }
  }

  @Test
  void headersThatCannotBeAreRefused() {
    Id128 id = new Id128(1, 2);
    for (long[] extent :
        List.of(
            new long[] {-1, 0, 0, 0, 0, 0},
            new long[] {1, -1, 0, 0, 0, 0},
            new long[] {1, 0, -1, 0, 0, 0},
            new long[] {1, 0, 6, 5, 0, 0},
            new long[] {1, 0, 0, 5, -1, 0},
            new long[] {1, 0, 0, 5, 6, 0},
            new long[] {1, 0, 0, 5, 0, -128},
            new long[] {1, 0, 0, 5, 0, 128},
            new long[] {1, 0, 0, 128, 0, 64},
            new long[] {1, 0, 0, 513, 0, 0})) {
      assertThatThrownBy(
              () ->
                  new ManifestHeader(
                      extent[0],
                      id,
                      CommitKind.OPEN,
                      "",
                      extent[1],
                      extent[2],
                      extent[3],
                      extent[4],
                      extent[5],
                      Boundary.NONE,
                      false,
                      Optional.empty(),
                      Samples.NONE))
          .as("%s", extent)
          .isInstanceOf(AssertionError.class);
    }
    assertThatThrownBy(() -> new TrimIntent(-1, id)).isInstanceOf(AssertionError.class);
  }

  @Test
  void aTailHasFiveHundredAndTwelveStepsAtMost() {
    assertThat(Samples.withTail(512).chunks()).hasSize(8);
    assertThatThrownBy(() -> Samples.withTail(513))
        .isInstanceOf(AssertionError.class)
        .hasMessage("a tail of steps 0 to 513");
  }

  @Test
  void aTailFitsItsHeader() {
    Manifest good = Samples.withTail(130);
    for (List<Chunk> chunks :
        List.of(
            good.chunks().subList(0, 2),
            good.chunks().subList(1, 3),
            List.<Chunk>of(),
            List.of(good.chunks().get(0), good.chunks().get(0), good.chunks().get(2)))) {
      assertThatThrownBy(
              () ->
                  new Manifest(
                      good.header(),
                      chunks,
                      good.tree(),
                      good.producers(),
                      good.tables(),
                      List.of()))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("at");
    }
  }

  @Test
  void aTreeReachesFromTheFirstStepToTheTail() {
    Manifest sealed = Samples.sealed(Samples.withTail(300));
    assertThat(sealed.header().tailFirst()).isEqualTo(128);
    assertThat(sealed.header().nextStep()).isEqualTo(300);
    assertThat(sealed.tailSteps()).isEqualTo(172);
    assertThat(sealed.chunks()).isEqualTo(Samples.withTail(300).chunks().subList(2, 5));
    assertThat(sealed.tree().references()).hasSize(1);
    for (SegmentTree tree :
        List.of(
            SegmentTree.EMPTY,
            SegmentTree.EMPTY.withSegment(128, new Id128(1, 1)),
            sealed.tree().withSegment(128, new Id128(1, 1)))) {
      assertThatThrownBy(() -> sealed.withTree(tree))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("in a stream from step 0 with a tail from step 128");
    }
  }

  @Test
  void aSegmentLeavesWhenItHasAllItsSteps() {
    assertThat(Samples.withTail(127).sealable()).isEmpty();
    assertThat(Samples.withTail(100).sealable()).isEmpty();
    Segment segment = Samples.withTail(128).sealable().orElseThrow();
    assertThat(segment.firstStep()).isZero();
    Manifest twice = Samples.sealed(Samples.sealed(Samples.withTail(256)));
    assertThat(twice.tailSteps()).isZero();
    assertThat(twice.sealable()).isEmpty();
    Manifest more = Samples.published(twice, Samples.descriptors("p", 256, 5));
    assertThat(more.chunks()).extracting(Chunk::firstStep).containsExactly(256L);
  }

  @Test
  void whoeverSealsARangePutsTheSameBytes() {
    List<Descriptor> all = Samples.descriptors("p", 0, 300);
    Manifest once = Samples.published(Manifest.empty(), all);
    Manifest stepwise = Manifest.empty();
    for (int i = 0; i < 300; i += 50) {
      List<Descriptor> some = new ArrayList<>();
      for (Descriptor descriptor : all.subList(i, i + 50)) {
        some.add(descriptor.publishedIn(1));
      }
      List<Chunk> chunks = Chunk.append("", stepwise.chunks(), i, some);
      ManifestHeader header =
          stepwise.header().successor(new Id128(1, 1), CommitKind.PUBLISH, "", 0, BOUNDARY, 50);
      stepwise =
          new Manifest(
              header, chunks, stepwise.tree(), stepwise.producers(), stepwise.tables(), List.of());
    }
    assertThat(joined(stepwise.sealable().orElseThrow().encode(NAMESPACE)))
        .isEqualTo(joined(once.sealable().orElseThrow().encode(NAMESPACE)));
  }

  @Test
  void theNewestChunkFollowsTheHeaderAndTheFirstFourKibibytesHoldBoth() {
    PartialManifest start = partial(Samples.withTail(300), PartialManifest.START_BYTES_MIN);
    assertThat(start.header()).isEqualTo(Samples.withTail(300).header());
    assertThat(start.version()).isEqualTo(1);
    EnvelopeDirectory.Entry newest = start.chunkEntry(299);
    assertThat(start.directory().entries().get(1)).isEqualTo(newest);
    assertThat(start.has(newest)).isTrue();
    int end = (int) newest.offset() + newest.length();
    assertThat(partial(Samples.withTail(300), end).has(newest)).isTrue();
    assertThat(partial(Samples.withTail(300), end - 1).has(newest)).isFalse();
    Chunk chunk = start.chunk(299, start.bytes(newest));
    assertThat(chunk).isEqualTo(Samples.withTail(300).chunks().get(4));
    assertThat(start.has(start.chunkEntry(0))).isFalse();
  }

  @Test
  void everyStepOfATailIsFoundByItsChunk() {
    for (int steps : new int[] {1, 63, 64, 65, 128, 129, 300}) {
      Manifest manifest = Samples.withTail(steps);
      ByteBuffer all = joined(manifest.encode(NAMESPACE));
      PartialManifest start = partial(manifest, Integer.MAX_VALUE);
      for (int step = 0; step < steps; step++) {
        EnvelopeDirectory.Entry entry = start.chunkEntry(step);
        ByteBuffer body = all.slice((int) entry.offset(), entry.length());
        DescriptorBlock block = start.chunk(step, body).decode("key");
        assertThat(block.at(step).seq()).isEqualTo(step);
      }
      assertThatThrownBy(() -> start.chunkEntry(steps)).isInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> start.chunkEntry(-1)).isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void stepsBelowTheTailHaveNoChunk() {
    PartialManifest start = partial(Samples.sealed(Samples.withTail(300)), Integer.MAX_VALUE);
    assertThat(start.chunk(128, start.bytes(start.chunkEntry(128))).firstStep()).isEqualTo(128);
    assertThatThrownBy(() -> start.chunkEntry(127)).isInstanceOf(AssertionError.class);
  }

  @Test
  void theStartMayStandAnywhereInItsBufferAndLeadsToTreeAndTables() {
    Manifest manifest = Samples.sealed(Samples.withTail(200));
    byte[] bytes = Samples.array(manifest.encode(NAMESPACE));
    ByteBuffer shifted = ByteBuffer.allocate(bytes.length + 9).position(9);
    shifted.put(bytes).position(9);
    PartialManifest start = PartialManifest.decode(1, NAMESPACE, shifted);
    assertThat(start.tree(start.bytes(start.treeEntry()))).isEqualTo(manifest.tree());
    assertThat(start.tables(start.bytes(start.tablesEntry()))).isEqualTo(manifest.tables());
    assertThat(start.chunk(199, start.bytes(start.chunkEntry(199))))
        .isEqualTo(manifest.chunks().get(1));
  }

  @Test
  void aStartWithoutTheWholeHeaderIsRefused() {
    Manifest manifest = Samples.withTail(3);
    EnvelopeDirectory.Entry header = partial(manifest, 4_096).directory().entries().get(0);
    int needed = (int) header.offset() + header.length();
    assertThat(partial(manifest, needed).header()).isEqualTo(manifest.header());
    assertThatThrownBy(() -> partial(manifest, needed - 1))
        .isInstanceOf(io.lakestream.model.CorruptObject.class)
        .hasMessageContaining("its header: expected %d bytes, found %d bytes", needed, needed - 1);
  }

  @Test
  void theHeadAndHeaderOfTheFullestManifestFitTheFirstFourKibibytes() {
    ManifestHeader header =
        new ManifestHeader(
            Long.MAX_VALUE,
            new Id128(-1, -1),
            CommitKind.SKIP,
            "x".repeat(64),
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE / 128 * 128,
            new Boundary(Long.MAX_VALUE, Long.MAX_VALUE),
            true,
            Optional.of(new TrimIntent(Long.MAX_VALUE, new Id128(-1, -1))),
            Samples.NONE);
    int bytes =
        header.toMessage().getSerializedSize() + Envelope.directoryBytes(Envelope.SECTIONS_MAX);
    assertThat(bytes).isLessThan(PartialManifest.START_BYTES_MIN);
  }

  @Test
  void aSegmentWhoseStepsAreTrimmedIsNotReferredTo() {
    Manifest manifest = Samples.withTail(300);
    Manifest trimmed = manifest.withHeader(manifest.header().withFirstStep(130));
    Segment segment = trimmed.sealable().orElseThrow();
    Manifest sealed = trimmed.withSealed(segment, new Id128(1, 2));
    assertThat(sealed.header().tailFirst()).isEqualTo(128);
    assertThat(sealed.tree().references()).isEmpty();
    Manifest next = sealed.withSealed(sealed.sealable().orElseThrow(), new Id128(3, 4));
    assertThat(next.tree().references()).hasSize(1);
    assertThat(next.tree().firstStep()).isEqualTo(128);
  }
}
