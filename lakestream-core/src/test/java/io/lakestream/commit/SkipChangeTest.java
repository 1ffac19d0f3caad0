// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import static io.lakestream.commit.CommitFixture.publish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.StreamTables.SkipRange;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.SealMode;
import io.lakestream.store.UnreliableStore;
import io.lakestream.store.UnreliableStore.Effect;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A skip is recorded once, whatever happens to the put that recorded it. */
final class SkipChangeTest {
  private static final Id128 ID = new Id128(1, 2);

  private final UnreliableStore store = new UnreliableStore();
  private final CommitFixture stream = new CommitFixture(store, 1);

  private Committer written(int steps) throws IOException, InterruptedException {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    var unused = committer.commit(publish(committer, term, 0, steps));
    return committer;
  }

  private static SkipChange skip(Committer committer, long first, long end) {
    return new SkipChange(committer.newCommitId(), first, end, "bad");
  }

  private static List<SkipRange> skips(Committer committer) {
    return committer.head().manifest().tables().skips();
  }

  private static void assertRefused(SkipChange change, Manifest base, String... messages) {
    var thrown =
        assertThatExceptionOfType(InvalidRequest.class)
            .isThrownBy(() -> change.apply(base, Boundary.NONE));
    for (String message : messages) {
      thrown.withMessageContaining(message);
    }
  }

  private static void trim(Committer committer, long step)
      throws IOException, InterruptedException {
    AnnounceTrimChange announced = new AnnounceTrimChange(committer.newCommitId(), step);
    var unused = committer.commit(announced);
    unused = committer.commit(new TrimChange(committer.newCommitId(), announced.commitId(), step));
  }

  @Test
  void aRangeSaysWhichVersionRecordedIt() throws Exception {
    Committer committer = written(10);
    var unused = committer.commit(skip(committer, 3, 5));
    assertThat(skips(committer)).containsExactly(new SkipRange(3, 4, "bad", 3));
    assertThat(committer.head().version()).isEqualTo(3);
    assertThat(committer.head().manifest().header().kind()).isEqualTo(CommitKind.SKIP);
    assertThat(committer.head().manifest().header().nextStep()).isEqualTo(10);
  }

  @Test
  void aLostReplyOrRequestRecordsItOnce() throws Exception {
    Committer committer = written(10);
    for (Effect effect : List.of(Effect.LOST_REPLY, Effect.LOST_REQUEST)) {
      long first = skips(committer).size();
      store.on("manifest/", effect);
      var unused = committer.commit(skip(committer, first, first + 1));
      assertThat(skips(committer)).hasSize((int) first + 1);
    }
    assertThat(committer.head().version()).isEqualTo(4);
  }

  @Test
  void aVersionThatWasDeletedAfterALostReplyIsKnownByAnyLaterHead() throws Exception {
    Committer committer = written(10);
    store.on(Names.manifest(3), Effect.LOST_REPLY);
    store.before(Names.manifest(3), () -> othersCommitAndDelete(20, 15));
    var unused = committer.commit(skip(committer, 3, 5));
    assertThat(skips(committer)).hasSize(1);
    assertThat(skips(committer).get(0).last()).isEqualTo(4);
  }

  private void othersCommitAndDelete(long untilVersion, long boundary) {
    try {
      Committer other = stream.committer();
      while (other.head().version() < untilVersion) {
        var unused = other.open("other");
      }
      stream.reclaimTo(boundary);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsSkippedAlreadyIsNotRecordedAgain() throws Exception {
    Committer committer = written(10);
    var unused = committer.commit(skip(committer, 2, 5));
    unused = committer.commit(skip(committer, 5, 7));
    long version = committer.head().version();
    unused = committer.commit(skip(committer, 3, 6));
    assertThat(committer.head().version()).isEqualTo(version);
    unused = committer.commit(skip(committer, 3, 8));
    assertThat(skips(committer)).as("the older ones stay for older starts").hasSize(3);
  }

  @Test
  void aSealedStreamTakesIt() throws Exception {
    Committer committer = written(10);
    var unused =
        committer.commit(
            new SealChange(committer.newCommitId(), Optional.empty(), SealMode.FORCED));
    unused = committer.commit(skip(committer, 9, 10));
    assertThat(skips(committer)).hasSize(1);
    assertThat(committer.head().manifest().header().isSealed()).isTrue();
  }

  @Test
  void aTrimTakesTheRangesThatLieBelow() throws Exception {
    Committer committer = written(20);
    for (long first : List.of(2L, 6L, 12L)) {
      var unused = committer.commit(skip(committer, first, first + 3));
    }
    SkipChange below = skip(committer, 2, 4);
    SkipChange across = skip(committer, 7, 9);
    trim(committer, 8);
    assertThat(skips(committer)).extracting(SkipRange::first).containsExactly(6L, 12L);
    Manifest head = committer.head().manifest();
    assertThat(below.isDone(head)).as("its steps are gone").isTrue();
    assertThat(across.isDone(head)).isTrue();
    assertThat(skip(committer, 8, 10).isDone(head)).isFalse();
    trim(committer, 9);
    assertThat(skips(committer)).extracting(SkipRange::first).containsExactly(12L);
  }

  @Test
  void stepsThatAreGoneOrNotThereYetAreRefused() throws Exception {
    Committer committer = written(10);
    trim(committer, 4);
    Manifest head = committer.head().manifest();
    assertRefused(skip(committer, 3, 6), head, "first step there is now is 4");
    assertRefused(skip(committer, 8, 11), head, "ends before step 10");
    assertThat(skip(committer, 4, 10).apply(head, Boundary.NONE)).isPresent();
  }

  @Test
  void rangesWithoutStepsAndReasonsThatAreNoneAreRefused() {
    for (long[] range : List.of(new long[] {5, 5}, new long[] {5, 4}, new long[] {-1, 4})) {
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> new SkipChange(ID, range[0], range[1], "bad"))
          .withMessageContaining(range[0] + ":" + range[1]);
    }
    for (String reason : List.of("", "  ", "x".repeat(201), "x" + " ".repeat(200), "two\nlines")) {
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> new SkipChange(ID, 0, 1, reason))
          .withMessageContaining("1 to 200 characters");
    }
    assertThat(new SkipChange(ID, 0, 1, "x".repeat(200)).end()).isEqualTo(1);
  }

  @Test
  void aFullTableIsRefusedUntilATrimMakesRoom() throws Exception {
    Committer committer = written(400);
    String reason = "x".repeat(200);
    int count = 0;
    while (fits(committer, count, reason)) {
      var unused =
          committer.commit(new SkipChange(committer.newCommitId(), count, count + 1, reason));
      count += 2;
    }
    assertThat(skips(committer)).hasSizeBetween(30, 60);
    trim(committer, 100);
    assertThat(fits(committer, 398, reason)).isTrue();
  }

  private static boolean fits(Committer committer, long step, String reason) {
    SkipChange change = new SkipChange(ID, step, step + 1, reason);
    try {
      return change.apply(committer.head().manifest(), Boundary.NONE).isPresent();
    } catch (InvalidRequest e) {
      assertThat(e).hasMessageContaining("of 8192 that they may");
      return false;
    }
  }
}
