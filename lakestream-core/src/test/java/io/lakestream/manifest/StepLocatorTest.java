// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.Names;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Schema;
import io.lakestream.model.StepReclaimed;
import io.lakestream.store.Body;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A follower finds every step with few requests, also while versions die under it. */
class StepLocatorTest {
  private final StoredStream stream = new StoredStream();

  private StepLocator open() throws IOException {
    StepLocator locator = StepLocator.open(stream.log, 0);
    var unused = stream.store.takeReads();
    return locator;
  }

  private static void assertSteps(StepLocator locator, long first, long end) throws IOException {
    for (long step = first; step < end; step++) {
      assertThat(locator.descriptor(step).seq()).isEqualTo(step);
    }
  }

  /** Bytes from one descriptor that are not its own, under a right hash or not. */
  private void damage(String key) throws IOException {
    ByteBuffer bytes = stream.store.read(key).orElseThrow();
    bytes.put(bytes.remaining() - 1, (byte) (bytes.get(bytes.remaining() - 1) ^ 1));
    stream.store.put(key, Body.of(bytes));
    var unused = stream.store.takeReads();
  }

  @Test
  void aPollWithoutNewsTakesOneRequestAndWithNewsTwo() throws IOException {
    stream.versions(5);
    StepLocator locator = open();
    assertThat(locator.poll()).isFalse();
    assertThat(stream.store.takeReads()).containsExactly(Names.manifest(6));
    stream.versions(1);
    assertThat(locator.poll()).isTrue();
    assertThat(stream.store.takeReads()).containsExactly(Names.manifest(6), Names.boundary(1));
    assertThat(locator.header().nextStep()).isEqualTo(6);
    assertSteps(locator, 0, 6);
    assertThat(stream.store.takeReads()).isEmpty();
  }

  @Test
  void aFollowerThatKeepsUpReadsOneRangeForEachVersionAndTheBoundary() throws IOException {
    stream.versions(1);
    StepLocator locator = open();
    for (int version = 2; version < 120; version++) {
      stream.versions(1);
      assertThat(locator.poll()).isTrue();
      locator.caughtUp();
      assertThat(locator.descriptor(version - 1).seq()).isEqualTo(version - 1);
      assertThat(stream.store.takeReads())
          .containsExactly(Names.manifest(version), Names.boundary(1));
    }
  }

  @Test
  void catchingUpTakesLogarithmicallyManyRequests() throws IOException {
    stream.versions(1);
    StepLocator locator = open();
    stream.versions(3_000);
    int polls = 0;
    while (locator.poll()) {
      polls++;
    }
    assertThat(locator.header().version()).isEqualTo(3_001);
    assertThat(polls).isLessThan(40);
    assertThat(stream.store.takeReads()).hasSizeLessThan(100);
  }

  @Test
  void stepsAreFoundInTheTailInSegmentsAndBelowNodes() throws IOException {
    stream.versions(50, 100);
    StepLocator locator = open();
    assertThat(stream.head().tree().levels()).hasSize(2);
    assertSteps(locator, 0, 5_000);
    int objects = 5_000 / 128 + 2;
    assertThat(stream.store.takeReads()).hasSizeLessThan(objects);
  }

  @Test
  void aHeadFoundBeforeIsAPlaceToStart() throws IOException {
    stream.versions(70);
    StepLocator locator = StepLocator.at(stream.log, stream.log.heads().find(0));
    var unused = stream.store.takeReads();
    assertSteps(locator, 0, 70);
    assertThat(locator.tables().schemas()).hasSize(1);
    assertThat(stream.store.takeReads()).isEmpty();
  }

  @Test
  void severalMissesInARowAskWhetherTheHeadDied() throws IOException {
    stream.versions(5);
    StepLocator locator = open();
    stream.versions(20);
    stream.reclaimTo(20);
    for (int i = 0; i < 4; i++) {
      assertThat(locator.poll()).isFalse();
    }
    assertThat(stream.store.takeReads()).hasSize(4).containsOnly(Names.manifest(6));
    assertThat(locator.poll()).isTrue();
    assertThat(locator.header().version()).isEqualTo(25);
  }

  @Test
  void missesWithAHeadThatLivesMoveNothing() throws IOException {
    stream.versions(5);
    StepLocator locator = open();
    for (int i = 0; i < 10; i++) {
      assertThat(locator.poll()).isFalse();
    }
    assertThat(stream.store.takeReads()).hasSize(12);
    assertThat(locator.header().version()).isEqualTo(5);
  }

  @Test
  void aRevivedSuccessorIsNotFollowed() throws IOException {
    stream.versions(5);
    StepLocator locator = open();
    stream.versions(20);
    stream.reclaimTo(20);
    stream.revive(6);
    assertThat(locator.poll()).isTrue();
    assertThat(locator.header().version()).isEqualTo(25);
    assertThat(locator.header().committer()).isEqualTo("p");
  }

  @Test
  void aVersionDeletedUnderAReaderIsFoundAgainThroughTheNewHead() throws IOException {
    stream.versions(3, 100);
    StepLocator locator = StepLocator.open(stream.log, 0);
    stream.publish(100);
    assertThat(locator.poll()).isTrue();
    stream.versions(3);
    stream.reclaimTo(5);
    var unused = stream.store.takeReads();
    assertThat(locator.descriptor(150).seq()).isEqualTo(150);
    assertThat(locator.header().version()).isEqualTo(7);
  }

  @Test
  void aStepTrimmedUnderAReaderIsReclaimed() throws IOException {
    stream.versions(10, 100);
    StepLocator locator = open();
    assertThat(locator.descriptor(10).seq()).isEqualTo(10);
    Reference second = stream.head().tree().locate(130).orElseThrow();
    stream.trimTo(500);
    stream.reclaimTo(10);
    stream.delete(second.key());
    assertThatExceptionOfType(StepReclaimed.class)
        .isThrownBy(() -> locator.descriptor(130))
        .satisfies(e -> assertThat(e.getMessage()).contains("130").contains("500"));
    assertSteps(locator, 500, 1_000);
  }

  @Test
  void aStepThatWasTrimmedBeforeIsReclaimedWithoutARequest() throws IOException {
    stream.publish(100);
    stream.trimTo(50);
    StepLocator locator = open();
    assertThatExceptionOfType(StepReclaimed.class).isThrownBy(() -> locator.descriptor(49));
    assertThat(locator.descriptor(50).seq()).isEqualTo(50);
    assertThat(stream.store.takeReads()).isEmpty();
  }

  @Test
  void aSegmentThatIsGoneThoughItsStepsAreLiveIsDataLoss() throws IOException {
    stream.versions(5, 100);
    StepLocator locator = open();
    stream.delete(stream.head().tree().locate(3).orElseThrow().key());
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> locator.descriptor(3))
        .withMessageContaining("step 3");
    assertThat(locator.descriptor(130).seq()).isEqualTo(130);
  }

  @Test
  void aDamagedSegmentIsNamed() throws IOException {
    stream.versions(5, 100);
    StepLocator locator = open();
    String key = stream.head().tree().locate(3).orElseThrow().key();
    damage(key);
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> locator.descriptor(3))
        .withMessageContaining(key)
        .withMessageContaining("hash");
  }

  @Test
  void anObjectUnderTheKeyOfAnotherIsNamed() throws IOException {
    stream.versions(5, 100);
    StepLocator locator = open();
    String first = stream.head().tree().locate(3).orElseThrow().key();
    String second = stream.head().tree().locate(130).orElseThrow().key();
    stream.store.put(first, Body.of(stream.store.read(second).orElseThrow()));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> locator.descriptor(3))
        .withMessageContaining(first + " is corrupt at its content: expected hash");
  }

  @Test
  void aDamagedManifestThatLivesIsNamedAndOneThatDiedIsLeft() throws IOException {
    stream.publish(300);
    StepLocator locator = StepLocator.open(stream.log, 0);
    stream.publish(200);
    assertThat(locator.poll()).isTrue();
    damageChunk(Names.manifest(2));
    assertThatExceptionOfType(CorruptObject.class)
        .isThrownBy(() -> locator.descriptor(260))
        .withMessageContaining(Names.manifest(2));
    stream.versions(2);
    stream.raiseTo(3);
    assertThat(locator.descriptor(260).seq()).isEqualTo(260);
    assertThat(locator.header().version()).isEqualTo(4);
  }

  /** Damages what lies behind the first bytes of a manifest. */
  private void damageChunk(String key) throws IOException {
    ByteBuffer bytes = stream.store.read(key).orElseThrow();
    for (int i = 5_000; i < bytes.remaining(); i++) {
      bytes.put(i, (byte) (bytes.get(i) ^ 1));
    }
    stream.store.put(key, Body.of(bytes));
  }

  @Test
  void aFullChunkIsKeptFromVersionToVersion() throws IOException {
    stream.publish(250);
    StepLocator locator = StepLocator.open(stream.log, 0);
    stream.publish(4);
    assertThat(locator.poll()).isTrue();
    locator.caughtUp();
    var unused = stream.store.takeReads();
    assertThat(locator.descriptor(5).seq()).isEqualTo(5);
    assertThat(locator.descriptor(63).seq()).isEqualTo(63);
    assertThat(stream.store.takeReads()).containsExactly(Names.manifest(2));
    stream.publish(1);
    assertThat(locator.poll()).isTrue();
    unused = stream.store.takeReads();
    assertThat(locator.descriptor(0).seq()).isZero();
    assertThat(locator.descriptor(254).seq()).isEqualTo(254);
    assertThat(stream.store.takeReads()).isEmpty();
  }

  @Test
  void theTablesAreReadOnceForEachHead() throws IOException {
    stream.publish(256);
    StepLocator locator = StepLocator.open(stream.log, 0);
    stream.publish(256);
    assertThat(locator.poll()).isTrue();
    var unused = stream.store.takeReads();
    assertThat(locator.tables().schemas().get(0).schema()).isEqualTo(Schema.RAW);
    assertThat(locator.tables().skips()).isEmpty();
    assertThat(stream.store.takeReads()).containsExactly(Names.manifest(2));
  }

  @Test
  void nodesAndSegmentsAreKeptForAWhile() throws Exception {
    stream.versions(50, 100);
    Segments segments = new Segments(stream.store, StoredStream.NAMESPACE);
    var tree = stream.head().tree();
    var unused = stream.store.takeReads();
    assertThat(segments.find(tree, 5).at(5).seq()).isEqualTo(5);
    assertThat(stream.store.takeReads()).hasSize(2);
    assertThat(segments.find(tree, 127).at(127).seq()).isEqualTo(127);
    assertThat(stream.store.takeReads()).isEmpty();
    assertThat(segments.find(tree, 128).firstStep()).isEqualTo(128);
    assertThat(stream.store.takeReads()).hasSize(1);
    stream.delete(tree.locate(4_200).orElseThrow().key());
    assertThatExceptionOfType(MissingObject.class).isThrownBy(() -> segments.find(tree, 4_200));
    stream.delete(tree.locate(5).orElseThrow().key());
    assertThat(segments.find(tree, 300).at(300).seq()).isEqualTo(300);
    Segments others = new Segments(stream.store, StoredStream.NAMESPACE);
    assertThatExceptionOfType(MissingObject.class).isThrownBy(() -> others.find(tree, 300));
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> segments.find(tree, tree.endStep()))
        .withMessageContaining("no segment has step " + tree.endStep());
  }
}
