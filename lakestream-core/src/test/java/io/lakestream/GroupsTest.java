// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.GroupNames;
import io.lakestream.format.Names;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Generation;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Pin;
import io.lakestream.model.Promise;
import io.lakestream.model.RankFenced;
import io.lakestream.model.Reclaimed;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.Watermark;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.store.Body;
import io.lakestream.store.Listings;
import io.lakestream.store.UnreliableStore;
import io.lakestream.store.UnreliableStore.Effect;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** What training jobs report holds, and what they left behind goes. */
final class GroupsTest {
  private final UnreliableStore store = new UnreliableStore();

  private static Watermark at(long step) {
    return new Watermark(step, step);
  }

  private static Reclaimed reclaim(Namespace stream) throws InterruptedException {
    return stream.lifecycle().reclaim(ReclaimSettings.DEFAULT);
  }

  @Test
  void aRankThatHasNotReportedHoldsTheStart() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation start = lifecycle.start("train", 2, 10);
      assertThat(start)
          .isEqualTo(new Generation("train", 1, 2, 10, stream.view().summary().version()));
      assertThat(lifecycle.report(start, 1, at(50))).isEmpty();
      Reclaimed reclaimed = reclaim(stream);
      assertThat(reclaimed.firstStep()).isEqualTo(10);
      assertThat(reclaimed.heldBy().orElseThrow())
          .isEqualTo(new Promise(Promise.Kind.SILENT_RANK, "rank 0 of start 1 of group train", 10));
      assertThat(lifecycle.report(start, 0, new Watermark(40, 45))).isEmpty();
      assertThat(reclaim(stream).firstStep()).isEqualTo(40);
      assertThat(lifecycle.report(start, 0, at(60))).contains(new Watermark(40, 45));
      assertThat(reclaim(stream).firstStep()).isEqualTo(50);
      assertThat(lifecycle.standings())
          .containsExactly(
              new GroupStanding(start, List.of(Optional.of(at(60)), Optional.of(at(50)))));
      assertThat(Listings.keys(store, GroupNames.reports("train", 1, 0))).hasSize(1);
    }
  }

  @Test
  void theLowestOfAllGroupsAndPinsHolds() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation a = lifecycle.start("a", 1, 0);
      Generation b = lifecycle.start("b", 1, 0);
      Pin pin = lifecycle.pin(30, "best");
      lifecycle.report(a, 0, at(70));
      lifecycle.report(b, 0, at(50));
      assertThat(lifecycle.promises()).extracting(Promise::step).containsExactly(30L, 50L, 70L);
      assertThat(reclaim(stream).firstStep()).isEqualTo(30);
      lifecycle.unpin(pin.name());
      assertThat(reclaim(stream).firstStep()).isEqualTo(50);
      assertThat(lifecycle.remove("b")).isTrue();
      assertThat(lifecycle.remove("b")).isFalse();
      assertThat(reclaim(stream).firstStep()).isEqualTo(70);
      assertThat(lifecycle.remove("never started")).isFalse();
    }
  }

  @Test
  void aRankMayRollBackToWhatIsStillThere() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation start = lifecycle.start("train", 1, 0);
      lifecycle.report(start, 0, at(50));
      assertThat(lifecycle.report(start, 0, at(20))).contains(at(50));
      assertThat(reclaim(stream).firstStep()).isEqualTo(20);
      assertThatExceptionOfType(StepReclaimed.class)
          .isThrownBy(() -> lifecycle.report(start, 0, at(10)))
          .withMessageContaining("the first step there is now is 20");
      assertThat(lifecycle.standings().get(0).watermarks()).containsExactly(Optional.of(at(20)));
    }
  }

  @Test
  void aRollBackWhileATrimIsAnnouncedTakesItBack() throws Exception {
    whileATrimIsAnnounced(
        (lifecycle, start) -> assertThat(lifecycle.report(start, 0, at(20))).contains(at(50)));
  }

  /** Something that makes a job hold step 20 happens while a trim to 50 is announced. */
  private void whileATrimIsAnnounced(BiConsumer<Lifecycle, Generation> action) throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation start = lifecycle.start("train", 1, 0);
      lifecycle.report(start, 0, at(50));
      long head = stream.view().summary().version();
      store.before(Names.manifest(head + 2), () -> action.accept(lifecycle, start));
      assertThat(reclaim(stream).firstStep()).isEqualTo(0);
      assertThat(reclaim(stream).firstStep()).isEqualTo(20);
    }
  }

  @Test
  void aNewStartLeavesTheOldRanksBehind() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation first = lifecycle.start("train", 2, 0);
      lifecycle.report(first, 0, at(50));
      lifecycle.report(first, 1, at(50));
      Generation second = lifecycle.start("train", 1, 20);
      assertThat(second.number()).isEqualTo(2);
      assertThatExceptionOfType(RankFenced.class)
          .isThrownBy(() -> lifecycle.report(first, 0, at(60)))
          .withMessageContaining("started again (start 2)")
          .withMessageContaining("left over from start 1");
      assertThat(reclaim(stream).firstStep()).isEqualTo(20);
      assertThat(Listings.keys(store, GroupNames.group("train"))).hasSize(4);
      lifecycle.report(second, 0, at(20));
      var unused = reclaim(stream);
      assertThat(Listings.keys(store, GroupNames.group("train"))).hasSize(2);
      assertThatExceptionOfType(RankFenced.class)
          .isThrownBy(() -> lifecycle.report(first, 0, at(60)));
      assertThat(lifecycle.start("train", 1, 30).number()).isEqualTo(3);
    }
  }

  @Test
  void aStartWhileATrimIsAnnouncedTakesItBack() throws Exception {
    whileATrimIsAnnounced(
        (lifecycle, first) -> assertThat(lifecycle.start("train", 1, 20).number()).isEqualTo(2));
  }

  @Test
  void aStartBelowATrimIsRefusedAndTheOneBeforeGoesOn() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation first = lifecycle.start("train", 1, 0);
      lifecycle.report(first, 0, at(50));
      assertThat(reclaim(stream).firstStep()).isEqualTo(50);
      assertThatExceptionOfType(StepReclaimed.class)
          .isThrownBy(() -> lifecycle.start("train", 1, 49));
      lifecycle.report(first, 0, at(60));
      assertThat(reclaim(stream).firstStep()).isEqualTo(60);
    }
  }

  @Test
  void aStartThatTurnsOutToBeBelowATrimIsVoid() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation first = lifecycle.start("train", 1, 0);
      lifecycle.report(first, 0, at(50));
      // The trim comes between the look before and the look after the record is put.
      store.before(
          GroupNames.generation("train", 2), Effect.LOST_REPLY, () -> reclaimed(stream, 50));
      assertThatExceptionOfType(StepReclaimed.class)
          .isThrownBy(() -> lifecycle.start("train", 1, 20));
      assertThat(lifecycle.standings())
          .extracting(GroupStanding::generation)
          .containsExactly(first);
      assertThat(lifecycle.report(first, 0, at(70))).contains(at(50));
      Generation third = lifecycle.start("train", 1, 60);
      assertThat(third.number()).isEqualTo(3);
      assertThatExceptionOfType(RankFenced.class)
          .isThrownBy(() -> lifecycle.report(first, 0, at(80)));
      reclaimed(stream, 60);
    }
  }

  private static void reclaimed(Namespace stream, long firstStep) {
    try {
      assertThat(reclaim(stream).firstStep()).isEqualTo(firstStep);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsBeyondTheHeadOrOutsideTheJobIsRefused() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> lifecycle.start("train", 1, 101))
          .withMessageContaining("step 101 is beyond the head");
      Generation start = lifecycle.start("train", 2, 100);
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> lifecycle.report(start, 2, at(100)))
          .withMessageContaining("has ranks 0 to 1, not 2");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> lifecycle.report(start, 0, at(101)))
          .withMessageContaining("step 101 is beyond the head");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> new Watermark(5, 4))
          .withMessageContaining("not step 5 and 4");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> ReclaimSettings.DEFAULT.keeping(0))
          .withMessageContaining("at least 1 version");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> lifecycle.unpin("a//b"))
          .withMessageContaining("no name of a pin");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> lifecycle.pin(-1, "x"))
          .withMessageContaining("nobody can stand at -1");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> lifecycle.start("train", 1, -1))
          .withMessageContaining("nobody can stand at -1");
    }
  }

  @Test
  void aLostReplyIsLookedForAndALostRequestIsUnknown() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      store.on(GroupNames.GROUPS, Effect.LOST_REPLY);
      Generation start = lifecycle.start("train", 1, 0);
      store.on(GroupNames.GROUPS, Effect.LOST_REQUEST);
      assertThatExceptionOfType(CommitUnknown.class)
          .isThrownBy(() -> lifecycle.report(start, 0, at(5)));
      assertThat(lifecycle.report(start, 0, at(6))).isEmpty();
      store.on(GroupNames.GROUPS, Effect.LOST_REQUEST);
      assertThatExceptionOfType(CommitUnknown.class)
          .isThrownBy(() -> lifecycle.start("train", 1, 0))
          .withMessageContaining("start it again");
    }
  }

  @Test
  void aReportThatLandsLateChangesNothing() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation start = lifecycle.start("train", 1, 0);
      store.on(GroupNames.GROUPS, Effect.LATE);
      assertThatExceptionOfType(CommitUnknown.class)
          .isThrownBy(() -> lifecycle.report(start, 0, at(80)));
      lifecycle.report(start, 0, at(30));
      store.land();
      assertThat(reclaim(stream).firstStep()).isEqualTo(30);
      lifecycle.report(start, 0, at(40));
      assertThat(Listings.keys(store, GroupNames.reports("train", 1, 0))).hasSize(1);
    }
  }

  @Test
  void aDamagedRecordStopsReclamation() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Generation start = stream.lifecycle().start("train", 1, 0);
      stream.lifecycle().report(start, 0, at(50));
      store.put(GroupNames.generation("train", 1), Body.of(new byte[0]));
      assertThatExceptionOfType(CorruptObject.class)
          .isThrownBy(() -> reclaim(stream))
          .withMessageContaining("group/train");
      assertThat(stream.view().summary().firstStep()).isZero();
    }
  }

  @Test
  void anAnnouncementWhoseOwnerDiedRefusesNobodyAndGoes() throws Exception {
    try (Namespace stream = Streams.sealed(store, 100)) {
      Lifecycle lifecycle = stream.lifecycle();
      Pin pin = lifecycle.pin(50, "checkpoint");
      long head = stream.view().summary().version();
      store.before(
          Names.manifest(head + 2),
          () -> {
            throw new IllegalStateException("killed");
          });
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> reclaim(stream));
      assertThat(new ManifestLog(store, stream.uuid()).heads().find(0).manifest().header().trim())
          .isPresent();
      // Nothing can be trimmed now, but the dead announcement goes.
      lifecycle.unpin(pin.name());
      assertThat(reclaim(stream).firstStep()).isZero();
      assertThat(new ManifestLog(store, stream.uuid()).heads().find(0).manifest().header().trim())
          .isEmpty();
      assertThat(lifecycle.pin(20, "granted").step()).isEqualTo(20);
      assertThat(reclaim(stream).firstStep()).isEqualTo(20);
    }
  }

  @Test
  void aStartThatFailsLeavesTheOneBefore() throws Exception {
    try (Namespace stream = Streams.sealed(store, 300)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation one = lifecycle.start("train", 1, 0);
      var unusedA = lifecycle.report(one, 0, new Watermark(100, 100));
      store.before(
          GroupNames.generation("train", 2), Effect.LOST_REPLY, () -> reclaimed(stream, 100));
      store.before(GroupNames.voided("train", 2), Effect.LOST_REPLY, () -> reclaimed(stream, 100));
      assertThatExceptionOfType(StepReclaimed.class)
          .isThrownBy(() -> lifecycle.start("train", 1, 50));
      assertThat(lifecycle.standings())
          .extracting(GroupStanding::generation)
          .as("start 1 counts again")
          .containsExactly(one);
    }
  }

  @Test
  void aLeftOverRankIsFencedAfterReclamationToo() throws Exception {
    try (Namespace stream = Streams.sealed(store, 300)) {
      Lifecycle lifecycle = stream.lifecycle();
      Generation one = lifecycle.start("train", 1, 0);
      var unusedTwo = lifecycle.start("train", 1, 0);
      var unusedThree = lifecycle.start("train", 1, 0);
      reclaim(stream);
      assertThatExceptionOfType(RankFenced.class)
          .isThrownBy(() -> lifecycle.report(one, 0, new Watermark(100, 100)));
    }
  }

  @Test
  void aPinBeyondTheHeadGivesUpNothing() throws Exception {
    try (Namespace stream = Streams.sealed(store, 300)) {
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.lifecycle().pin(30_000, "a zero too many"))
          .withMessageContaining("beyond the head");
      reclaim(stream);
      assertThat(stream.view().summary().firstStep()).isZero();
    }
  }

  @Test
  void aSecondPassCountsNothing() throws Exception {
    try (Namespace stream = Streams.sealed(store, 300)) {
      var unusedPin = stream.lifecycle().pin(100, "");
      reclaim(stream);
      assertThat(reclaim(stream).dataObjects()).isZero();
    }
  }

  @Test
  void aRankCannotHaveReadBeyondTheHead() throws Exception {
    try (Namespace stream = Streams.sealed(store, 300)) {
      Generation one = stream.lifecycle().start("train", 1, 0);
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.lifecycle().report(one, 0, new Watermark(100, 30_000)));
    }
  }

  @Test
  void whoNeverStartedOrIsRemovedCannotReport() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      Generation never = new Generation("train", 3, 1, 0, 1);
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.lifecycle().report(never, 0, at(5)))
          .withMessageContaining("there is no start 3 of group train");
      Generation start = stream.lifecycle().start("train", 1, 0);
      stream.lifecycle().remove("train");
      assertThatExceptionOfType(RankFenced.class)
          .isThrownBy(() -> stream.lifecycle().report(start, 0, at(5)))
          .withMessageContaining("was removed");
    }
  }
}
