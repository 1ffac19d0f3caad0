// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.Boundary;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.model.DataLoss;
import io.lakestream.store.Body;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The head is found without a listing, and a dead version is never believed. */
class HeadSearchTest {
  private final StoredStream stream = new StoredStream();
  private final HeadSearch<Manifest> heads = stream.log.heads();

  private void assertHead(CheckedHead<Manifest> head, long version) {
    assertThat(head.version()).isEqualTo(version);
    assertThat(head.manifest().header().committer()).isNotEqualTo("sleeper");
    assertThat(head.boundary()).isEqualTo(stream.boundary());
  }

  @Test
  void aNewStreamIsEmpty() throws IOException {
    CheckedHead<Manifest> head = heads.find(0);
    assertThat(head.manifest()).isEqualTo(Manifest.empty());
    assertThat(head.boundary()).isEqualTo(Boundary.NONE);
    assertThat(stream.store.takeReads()).hasSizeLessThanOrEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aColdOpenWithARecentHintTakesFiveRequests(int stale) throws IOException {
    stream.versions(90);
    stream.raiseTo(40);
    stream.versions(10);
    stream.hint(100 - stale);
    assertHead(heads.find(0), 100);
    assertThat(stream.store.takeReads()).as("%d versions stale", stale).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void aColdOpenWithoutAHintGallops() throws IOException {
    stream.versions(1_000);
    assertHead(heads.find(0), 1_000);
    assertThat(stream.store.takeReads()).hasSizeLessThanOrEqualTo(25);
  }

  @Test
  void aKnownVersionIsAsGoodAsAHint() throws IOException {
    stream.versions(100);
    stream.hint(3);
    assertHead(heads.find(98), 100);
    assertThat(stream.store.takeReads()).hasSizeLessThanOrEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 50, 101, 104, 1_000, Long.MAX_VALUE})
  void aWrongHintCostsRequestsAndNothingElse(long version) throws IOException {
    stream.versions(100);
    stream.reclaimTo(60);
    stream.versions(5);
    stream.hint(version);
    assertHead(heads.find(0), 105);
  }

  @Test
  void aDamagedHintIsIgnored() throws IOException {
    stream.versions(20);
    stream.store.put(Names.HINT, Body.of(new byte[] {1, 2, 3}));
    assertHead(heads.find(0), 20);
    stream.store.put(Names.HINT, Body.of(stream.head().encode(StoredStream.NAMESPACE)));
    assertHead(heads.find(0), 20);
  }

  @Test
  void aRevivedVersionBelowTheBoundaryIsNeverBelieved() throws IOException {
    stream.versions(100);
    stream.reclaimTo(60);
    stream.versions(1);
    for (long revived : new long[] {1, 30, 31, 32, 58, 60}) {
      stream.revive(revived);
      for (long hint : new long[] {0, 1, 29, 30, 31, 55, 59, 60, 61, 101}) {
        stream.hint(hint);
        assertHead(heads.find(0), 101);
        assertHead(heads.find(hint), 101);
      }
    }
  }

  @Test
  void anAdvanceFromAHeadThatDiedDoesNotBelieveARevivedSuccessor() throws IOException {
    stream.versions(10);
    CheckedHead<Manifest> old = heads.find(0);
    stream.versions(50);
    stream.reclaimTo(40);
    stream.revive(11);
    assertHead(heads.advance(old), 60);
  }

  @Test
  void anAdvanceWithoutNewsTakesOneRequest() throws IOException {
    stream.versions(10);
    CheckedHead<Manifest> head = heads.find(0);
    var unused = stream.store.takeReads();
    assertThat(heads.advance(head)).isSameAs(head);
    assertThat(stream.store.takeReads()).containsExactly(Names.manifest(11));
    stream.versions(1);
    assertHead(heads.advance(head), 11);
    assertThat(stream.store.takeReads())
        .containsExactly(Names.manifest(11), Names.manifest(12), Names.boundary(1));
  }

  @Test
  void theBoundaryIsReadAfterTheVersion() throws IOException {
    stream.versions(10);
    CheckedHead<Manifest> head = heads.find(0);
    stream.versions(1);
    var unused = stream.store.takeReads();
    // Between the read of version 11 and the answer, 11 dies and the stream goes on.
    stream.store.before(
        Names.manifest(12),
        () -> {
          stream.versions(30);
          stream.reclaimTo(35);
        });
    assertHead(heads.advance(head), 41);
  }

  @Test
  void aBoundaryThatMovesDuringTheSearchIsFollowed() throws IOException {
    stream.versions(10);
    stream.reclaimTo(5);
    for (int i = 0; i < 3; i++) {
      long version = 10 + 10L * i;
      stream.store.before(
          Names.manifest(version + 1),
          () -> {
            stream.versions(10);
            stream.reclaimTo(version + 5);
          });
    }
    CheckedHead<Manifest> head = heads.find(0);
    assertHead(head, stream.head().version());
    assertThat(head.version()).isEqualTo(40);
  }

  @Test
  void aBoundaryThatNeverRestsEndsTheSearch() throws IOException {
    stream.versions(3);
    stream.reclaimTo(2);
    moveForEver(3);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> heads.find(0))
        .withMessageContaining("the boundary moved 100 times during one search");
  }

  private void moveForEver(long version) {
    stream.store.before(
        Names.manifest(version + 1),
        () -> {
          stream.versions(2);
          stream.reclaimTo(stream.head().version() - 1);
          moveForEver(stream.head().version());
        });
  }

  @Test
  void theFirstVersionAboveTheBoundaryIsNeverMissing() throws IOException {
    stream.versions(10);
    stream.reclaimTo(10);
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> heads.find(0))
        .withMessageContaining(Names.manifest(11))
        .withMessageContaining("first version above boundary 10");
  }

  @Test
  void aDeadVersionIsNoHead() throws IOException {
    stream.versions(10);
    stream.raiseTo(9);
    assertThat(heads.check(stream.head())).isPresent();
    stream.raiseTo(10);
    assertThat(heads.check(stream.head())).isEmpty();
  }

  @Test
  void aHintIsLeftForOthers() throws IOException {
    stream.versions(9);
    stream.raiseTo(4);
    stream.versions(1);
    stream.log.leaveHint(heads.find(0));
    var unused = stream.store.takeReads();
    assertHead(heads.find(0), 10);
    assertThat(stream.store.takeReads()).hasSizeLessThanOrEqualTo(5);
  }
}
