// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import static io.lakestream.commit.CommitFixture.publish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.commit.Committer.Opening;
import io.lakestream.format.Boundary;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerEntry;
import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.DType;
import io.lakestream.model.DataLoss;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.ProducerFenced;
import io.lakestream.model.Schema;
import io.lakestream.model.SealMode;
import io.lakestream.model.StreamSealed;
import io.lakestream.model.TensorSpec;
import io.lakestream.policy.CommitSettings;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import io.lakestream.store.UnreliableStore;
import io.lakestream.store.UnreliableStore.Effect;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is acknowledged is in the stream, once, whatever happens to the put that made it so. */
final class CommitterTest {
  private final UnreliableStore store = new UnreliableStore();
  private final CommitFixture stream = new CommitFixture(store, 1);

  private static void assertCommitted(CommitOutcome outcome) {
    assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
  }

  @Test
  void anOpeningIsAVersionAndTheVersionIsTheEpoch() throws Exception {
    Opening opening = stream.committer().open("p");
    assertThat(opening.term()).isEqualTo(new Term("p", 1));
    assertThat(opening.entry().nextSeq()).isZero();
    assertThat(opening.entry().offset()).isEmpty();
    assertThat(stream.log.read(1).orElseThrow().header().committer()).isEqualTo("p");
  }

  @Test
  void publishedBatchesBecomeStepsInOrder() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.attempt(publish(committer, term, 0, 3)));
    assertCommitted(committer.attempt(publish(committer, term, 3, 1)));
    assertThat(stream.steps()).containsExactly("p/0", "p/1", "p/2", "p/3");
    ProducerEntry entry = term.entryIn(committer.head().manifest());
    assertThat(entry.nextSeq()).isEqualTo(4);
    assertThat(entry.offset()).contains("3000");
    assertThat(entry.lastVersion()).isEqualTo(3);
  }

  @Test
  void aDriftOfTheSchemaIsRefusedByThePureChangeAndCreatesNothing() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.attempt(publish(committer, term, 0, 1)));
    Schema scores =
        Schema.of(new TensorSpec("scores", DType.I32, List.of(4L), TensorSpec.Kind.SHARED));
    List<Descriptor> next = List.of(CommitFixture.descriptor(term, 1));
    for (SchemaChange answer : SchemaChange.values()) {
      Manifest base = committer.head().manifest();
      PublishChange change =
          new PublishChange(committer.newCommitId(), term, next, List.of(scores), answer);
      if (answer == SchemaChange.REFUSED) {
        assertThatExceptionOfType(InvalidRequest.class)
            .isThrownBy(() -> committer.attempt(change))
            .withMessageContaining("type SAFETENSORS instead of RAW");
        assertThat(stream.log.read(base.version() + 1)).isEmpty();
      } else {
        assertCommitted(committer.attempt(change));
      }
    }
    assertThat(committer.head().manifest().tables().newestSchema()).contains(scores);
  }

  @Test
  void aLostReplyIsFoundOutToBeOurs() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    store.on("manifest/", Effect.LOST_REPLY);
    assertCommitted(committer.attempt(publish(committer, term, 0, 1)));
    assertThat(stream.steps()).containsExactly("p/0");
    assertThat(committer.head().version()).isEqualTo(2);
  }

  @Test
  void aLostRequestIsRepeatedWithTheSameBytesUnderTheSameKey() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    store.on("manifest/", Effect.LOST_REQUEST).on("manifest/", Effect.LOST_REQUEST);
    store.takeCalls();
    assertCommitted(committer.attempt(publish(committer, term, 0, 1)));
    assertThat(store.takeCalls().stream().filter(call -> call.startsWith("putIfAbsent")))
        .containsExactly(
            "putIfAbsent " + Names.manifest(2),
            "putIfAbsent " + Names.manifest(2),
            "putIfAbsent " + Names.manifest(2));
    assertThat(stream.steps()).containsExactly("p/0");
  }

  @Test
  void aLostReplyOfAnOpeningGivesTheSameTerm() throws Exception {
    store.on("manifest/", Effect.LOST_REPLY);
    Committer committer = stream.committer();
    Opening opening = committer.open("p");
    assertThat(opening.term().epoch()).isEqualTo(1);
    assertThat(committer.head().version()).isEqualTo(1);
  }

  @Test
  void aRefusalIsPassedOnAndTheChangeCanBeTriedAgain() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    store.on("manifest/", Effect.REFUSED);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> committer.attempt(publish(committer, term, 0, 1)))
        .withMessageContaining("was refused");
    assertCommitted(committer.attempt(publish(committer, term, 0, 1)));
    assertThat(stream.steps()).containsExactly("p/0");
  }

  @Test
  void aLatePutOfALostRaceDoesNoHarm() throws Exception {
    Committer slow = stream.committer();
    Term slowTerm = slow.open("slow").term();
    Committer fast = stream.committer();
    Term fastTerm = fast.open("fast").term();
    assertThat(slow.attempt(publish(slow, slowTerm, 0, 1)))
        .as("learns of the other producer")
        .isInstanceOf(CommitOutcome.Lost.class);
    store.on("manifest/", Effect.LATE).before("manifest/", () -> commit(fast, fastTerm));
    assertThat(slow.attempt(publish(slow, slowTerm, 0, 1))).isInstanceOf(CommitOutcome.Lost.class);
    assertCommitted(slow.attempt(publish(slow, slowTerm, 0, 1)));
    store.land();
    assertThat(stream.steps()).containsExactly("fast/0", "slow/0");
  }

  private static void commit(Committer committer, Term term) {
    try {
      long seq = term.entryIn(committer.head().manifest()).nextSeq();
      assertCommitted(committer.commit(publish(committer, term, seq, 1)));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anUnknownOutcomeThatNothingSettlesIsSaidAndReopeningSettlesIt() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    for (int i = 0; i < 1_000; i++) {
      store.on(Names.manifest(2), i == 0 ? Effect.LATE : Effect.LOST_REQUEST);
    }
    assertThatExceptionOfType(CommitUnknown.class)
        .isThrownBy(() -> committer.attempt(publish(committer, term, 0, 1)))
        .withMessageContaining("version 2")
        .withMessageContaining("open the producer again");
    store.land();
    Opening again = stream.committer().open("p");
    assertThat(again.entry().nextSeq()).isEqualTo(1);
    assertThat(again.entry().offset()).contains("0");
    assertThat(stream.steps()).containsExactly("p/0");
  }

  @Test
  void aWriterThatSleptOverReclamationDoesNotBelieveTheVersionItRevives() throws Exception {
    Committer sleeper = stream.committer();
    Term sleeping = sleeper.open("sleeper").term();
    store.before(Names.manifest(2), () -> othersCommitAndDelete(20, 15));
    CommitOutcome outcome = sleeper.commit(publish(sleeper, sleeping, 0, 1));
    assertThat(outcome.head().version()).isGreaterThan(20);
    assertThat(stream.log.read(2)).as("the revived version").isPresent();
    assertThat(stream.steps().stream().filter("sleeper/0"::equals)).hasSize(1);
    assertThat(stream.steps()).endsWith("sleeper/0");
  }

  @Test
  void aWriterWhosePublishedVersionWasDeletedLearnsFromTheTableThatItPublished() throws Exception {
    Committer sleeper = stream.committer();
    Term sleeping = sleeper.open("sleeper").term();
    store.on(Names.manifest(2), Effect.LOST_REPLY);
    store.before(Names.manifest(2), () -> othersCommitAndDelete(20, 15));
    assertCommitted(sleeper.attempt(publish(sleeper, sleeping, 0, 1)));
    assertThat(stream.steps().stream().filter("sleeper/0"::equals)).hasSize(1);
    assertThat(stream.steps()).startsWith("sleeper/0");
  }

  private void othersCommitAndDelete(long untilVersion, long boundary) {
    try {
      Committer other = stream.committer();
      Term term = other.open("other").term();
      while (other.head().version() < untilVersion) {
        commit(other, term);
      }
      stream.reclaimTo(boundary);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLaterOpeningFencesTheEarlierOne() throws Exception {
    Committer first = stream.committer();
    Term old = first.open("p").term();
    Committer second = stream.committer();
    Term current = second.open("p").term();
    assertThat(current.epoch()).isGreaterThan(old.epoch());
    assertThatExceptionOfType(ProducerFenced.class)
        .isThrownBy(() -> first.attempt(publish(first, old, 0, 1)))
        .withMessageContaining("'p'")
        .withMessageContaining("taken over");
    assertCommitted(second.attempt(publish(second, current, 0, 1)));
    assertThat(stream.steps()).containsExactly("p/0");
  }

  @Test
  void aRetiredProducerIsFencedAndGoesOnWhereItEndedWhenItReturns() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.commit(publish(committer, term, 0, 5)));
    assertCommitted(committer.commit(new RetireChange(committer.newCommitId(), term)));
    assertThat(committer.head().manifest().producers().active()).isEmpty();
    assertThatExceptionOfType(ProducerFenced.class)
        .isThrownBy(() -> committer.attempt(publish(committer, term, 5, 1)))
        .withMessageContaining("retired");
    Opening again = committer.open("p");
    assertThat(again.entry().nextSeq()).isEqualTo(5);
    assertThat(again.entry().offset()).contains("4000");
    assertThat(again.term().epoch()).isGreaterThan(term.epoch());
  }

  @Test
  void aProducerThatRetiredLongAgoIsFoundInTheArchive() throws Exception {
    Committer committer = stream.committer();
    Term first = committer.open("first").term();
    assertCommitted(committer.commit(publish(committer, first, 0, 7)));
    assertCommitted(committer.commit(new RetireChange(committer.newCommitId(), first)));
    for (int i = 0; i < 600; i++) {
      Term term = committer.open("short-lived-" + i).term();
      assertCommitted(committer.commit(new RetireChange(committer.newCommitId(), term)));
    }
    Manifest head = committer.head().manifest();
    assertThat(head.producers().retired("first")).isEmpty();
    assertThat(head.producers().archive()).isNotEmpty().hasSizeLessThan(16);
    assertThat(head.producers().archive())
        .as("some runs were merged")
        .anyMatch(run -> run.level() > 0);
    Opening again = stream.committer().open("first");
    assertThat(again.entry().nextSeq()).isEqualTo(7);
    assertThat(again.entry().offset()).contains("6000");
    assertThat(stream.committer().open("short-lived-3").entry().nextSeq()).isZero();
  }

  @Test
  void retiringTwiceIsDoneOnce() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.commit(new RetireChange(committer.newCommitId(), term)));
    long version = committer.head().version();
    assertCommitted(committer.commit(new RetireChange(committer.newCommitId(), term)));
    assertThat(committer.head().version()).isEqualTo(version);
  }

  @Test
  void anIdleProducerThatCommitsAfterAllIsNotRetired() throws Exception {
    Committer own = stream.committer();
    Opening opening = own.open("p");
    Term term = opening.term();
    Committer other = stream.committer();
    long seen = opening.entry().lastVersion();
    assertCommitted(own.commit(publish(own, term, 0, 1)));
    assertCommitted(other.commit(new RetireChange(other.newCommitId(), term, seen)));
    assertThat(term.isCurrentIn(other.head().manifest())).isTrue();
    seen = other.head().version();
    assertCommitted(other.commit(new RetireChange(other.newCommitId(), term, seen)));
    assertThat(term.isCurrentIn(other.head().manifest())).isFalse();
  }

  @Test
  void aSealedStreamTakesNeitherBatchesNorOpeningsButRetirement() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.commit(publish(committer, term, 0, 1)));
    SealChange seal =
        new SealChange(committer.newCommitId(), Optional.of(term), SealMode.WHEN_ALONE);
    assertCommitted(committer.commit(seal));
    assertThat(committer.head().manifest().header().isSealed()).isTrue();
    assertThatThrownBy(() -> committer.attempt(publish(committer, term, 1, 1)))
        .isInstanceOf(StreamSealed.class)
        .hasMessageContaining("after step 0");
    assertThatThrownBy(() -> committer.open("q")).isInstanceOf(StreamSealed.class);
    assertCommitted(committer.commit(new RetireChange(committer.newCommitId(), term)));
    assertThat(committer.head().manifest().header().isSealed()).isTrue();
  }

  @Test
  void sealingIsRefusedWhileOthersAreActiveUnlessForced() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    Term other = stream.committer().open("other").term();
    assertThat(other.epoch()).isEqualTo(2);
    SealChange seal =
        new SealChange(committer.newCommitId(), Optional.of(term), SealMode.WHEN_ALONE);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> committer.commit(seal))
        .withMessageContaining("other");
    assertCommitted(
        committer.commit(
            new SealChange(committer.newCommitId(), Optional.empty(), SealMode.FORCED)));
  }

  @Test
  void anAttemptThatFindsItsChangeDonePutsNothing() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.attempt(publish(committer, term, 0, 2)));
    store.takeCalls();
    assertCommitted(committer.attempt(publish(committer, term, 0, 2)));
    assertThat(store.takeCalls()).isEmpty();
  }

  @Test
  void moreThanFitsIsPublishedAsFarAsItFits() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.attempt(publish(committer, term, 0, 2_000)));
    long published = term.entryIn(committer.head().manifest()).nextSeq();
    assertThat(published).isBetween(300L, 512L);
    while (published < 2_000) {
      int rest = (int) (2_000 - published);
      assertCommitted(committer.attempt(publish(committer, term, published, rest)));
      published = term.entryIn(committer.head().manifest()).nextSeq();
    }
    List<String> steps = stream.steps();
    assertThat(steps).hasSize(2_000).doesNotHaveDuplicates().startsWith("p/0").endsWith("p/1999");
  }

  @Test
  void theHintIsLeftForOthersAndIsOnlyAHint() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    store.on("manifest/_hint", Effect.REFUSED);
    for (int i = 0; i < 5; i++) {
      stream.environment().clock().sleep(TimeUnit.SECONDS.toNanos(2));
      assertCommitted(committer.attempt(publish(committer, term, i, 1)));
      committer.leaveHint();
    }
    assertThat(store.read(Names.HINT)).isPresent();
    assertThat(stream.steps()).hasSize(5);
  }

  /** Before each of the next commits of somebody, {@code other} commits. */
  private void loseRaces(int count, Committer other, Term term) {
    for (int i = 0; i < count; i++) {
      store.before("manifest/0", () -> commit(other, term));
    }
  }

  @Test
  void aLoserStepsAsideForAFewFragileWindowsEachTime() throws Exception {
    Committer other = stream.committer();
    Term otherTerm = other.open("other").term();
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.commit(publish(committer, term, 0, 1)));
    assertCommitted(other.commit(publish(other, otherTerm, 0, 1)));
    stream.sleeps().clear();
    loseRaces(1, other, otherTerm);
    assertCommitted(committer.commit(publish(committer, term, 1, 1)));
    List<Long> sleeps = List.copyOf(stream.sleeps());
    assertThat(sleeps).as("one to repeat the put, one after the loss").hasSize(2);
    assertThat(sleeps.get(1)).isBetween(1_000L, 8 * 60_000_000L);
    stream.sleeps().clear();
    loseRaces(1, other, otherTerm);
    assertThat(stream.committer().open("late").term().epoch()).isPositive();
    assertThat(stream.sleeps()).hasSize(2).allMatch(nanos -> nanos > 0);
  }

  @Test
  void aChangeThatLosesTooManyRacesIsGivenUp() throws Exception {
    Committer other = stream.committer();
    Term otherTerm = other.open("other").term();
    Committer committer = stream.committer(new CommitSettings(10_000, 2, 1_000));
    Term term = committer.open("p").term();
    assertCommitted(other.commit(publish(other, otherTerm, 0, 1)));
    loseRaces(1, other, otherTerm);
    assertCommitted(committer.commit(publish(committer, term, 0, 1)));
    store.before("manifest/0", () -> commit(other, otherTerm));
    store.before(Names.manifest(7), () -> commit(other, otherTerm));
    assertThatExceptionOfType(CommitContended.class)
        .isThrownBy(() -> committer.commit(publish(committer, term, 1, 1)))
        .withMessageContaining("PUBLISH lost 2 races");
  }

  @Test
  void whatWasPublishedBeforeIsNotPublishedAgain() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    assertCommitted(committer.attempt(publish(committer, term, 0, 3)));
    assertCommitted(committer.attempt(publish(committer, term, 0, 5)));
    assertThat(stream.steps()).containsExactly("p/0", "p/1", "p/2", "p/3", "p/4");
  }

  @Test
  void seqsThatAreNotDenseAreABrokenInvariantOrAStoreThatFellBack() throws Exception {
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    List<Descriptor> gap =
        List.of(CommitFixture.descriptor(term, 0), CommitFixture.descriptor(term, 2));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                new PublishChange(
                    committer.newCommitId(), term, gap, List.of(), SchemaChange.REFUSED));
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> committer.attempt(publish(committer, term, 1, 1)))
        .withMessageContaining("restored to an earlier state");
    assertThat(stream.steps()).isEmpty();
  }

  @Test
  void eachKindOfChangeKnowsFromAHeadWhetherItWasMade() throws Exception {
    Committer committer = stream.committer();
    Id128 id = committer.newCommitId();
    OpenChange open = new OpenChange(id, "p", List.of(), Optional.empty());
    assertThat(open.isDone(Manifest.empty())).isFalse();
    Manifest opened = open.apply(Manifest.empty(), Boundary.NONE).orElseThrow();
    assertThat(open.isDone(opened)).isTrue();
    OpenChange again = new OpenChange(committer.newCommitId(), "p", List.of(), Optional.empty());
    assertThat(again.isDone(opened)).isFalse();
    Term term = new Term("p", 1);
    SealChange seal =
        new SealChange(committer.newCommitId(), Optional.of(term), SealMode.WHEN_ALONE);
    assertThat(seal.isDone(opened)).isFalse();
    Manifest sealed = seal.apply(opened, Boundary.NONE).orElseThrow();
    assertThat(seal.isDone(sealed)).isTrue();
    RetireChange retire = new RetireChange(committer.newCommitId(), term);
    Manifest retired = retire.apply(sealed, Boundary.NONE).orElseThrow();
    assertThat(retire.isDone(sealed)).isFalse();
    assertThat(retire.isDone(retired)).isTrue();
    assertThat(retired.producers().retired("p").orElseThrow().lastVersion()).isEqualTo(3);
  }

  @Test
  void aProducerThatWasTakenOverCannotSeal() throws Exception {
    Committer committer = stream.committer();
    Term old = committer.open("p").term();
    assertThat(stream.committer().open("p").term().epoch()).isEqualTo(2);
    SealChange seal = new SealChange(committer.newCommitId(), Optional.of(old), SealMode.FORCED);
    assertThatThrownBy(() -> committer.commit(seal)).isInstanceOf(ProducerFenced.class);
    assertThat(stream.log.heads().find(0).manifest().header().isSealed()).isFalse();
  }

  @Test
  void hintsAreAtLeastASecondApart() throws Exception {
    Committer committer = stream.committer();
    assertThat(committer.open("p").fragileWindowNanos()).isPositive();
    store.takeCalls();
    committer.leaveHint();
    assertThat(store.takeCalls()).isEmpty();
    stream.environment().clock().sleep(TimeUnit.SECONDS.toNanos(1));
    committer.leaveHint();
    committer.leaveHint();
    assertThat(store.takeCalls()).containsExactly("put manifest/_hint");
  }

  @Test
  void aTakeOverIsCalledSoEvenAfterTheSuccessorRetired() throws Exception {
    Committer first = stream.committer();
    Term old = first.open("p").term();
    Committer second = stream.committer();
    Term current = second.open("p").term();
    assertCommitted(second.commit(new RetireChange(second.newCommitId(), current)));
    assertThatExceptionOfType(ProducerFenced.class)
        .isThrownBy(() -> first.commit(publish(first, old, 0, 1)))
        .withMessageContaining("taken over by another process in version 2");
  }
}
