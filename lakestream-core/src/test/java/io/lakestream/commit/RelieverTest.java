// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import static io.lakestream.commit.CommitFixture.publish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.ImageLocation;
import io.lakestream.format.Manifest;
import io.lakestream.format.SliceIndex;
import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.UnreliableStore;
import io.lakestream.store.UnreliableStore.Effect;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A manifest stays bounded, and what leaves it can still be found. */
final class RelieverTest {

  @Test
  void everyStepIsFoundWhileTheTailMovesToSegmentsAndNodes() throws Exception {
    CommitFixture stream = new CommitFixture(new MemoryStore(), 2);
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    int steps = FormatLimits.SEGMENT_STEPS * (FormatLimits.FAN_OUT + 5) + 17;
    for (int seq = 0; seq < steps; seq += 100) {
      int count = Math.min(100, steps - seq);
      var outcome = committer.commit(publish(committer, term, seq, count));
      Manifest head = outcome.head().manifest();
      assertThat(head.tailSteps()).isLessThan(2 * FormatLimits.SEGMENT_STEPS + 2 * 100);
      assertThat(head.bytes()).isLessThanOrEqualTo(FormatLimits.MANIFEST_BYTES_MAX);
    }
    Manifest head = committer.head().manifest();
    assertThat(head.tree().levels()).as("levels").hasSize(2);
    assertThat(head.tree().references().stream().filter(r -> r.level() == 1)).hasSize(1);
    List<String> found = stream.steps();
    assertThat(found).hasSize(steps);
    for (int i = 0; i < steps; i++) {
      assertThat(found.get(i)).isEqualTo("p/" + i);
    }
  }

  @Test
  void twoThatSealTheSameRangeShareOneObject() throws Exception {
    UnreliableStore store = new UnreliableStore();
    CommitFixture stream = new CommitFixture(store, 3);
    Committer first = stream.committer();
    Term firstTerm = first.open("a").term();
    Committer second = stream.committer();
    Term secondTerm = second.open("b").term();
    for (int i = 0; i < 40; i++) {
      var one = first.commit(publish(first, firstTerm, i * 10L, 10));
      var two = second.commit(publish(second, secondTerm, i * 10L, 10));
      assertThat(two.head().version()).isGreaterThan(one.head().version());
    }
    List<String> segments =
        store.list("segment/", Optional.empty()).entries().stream().map(e -> e.key()).toList();
    assertThat(segments).hasSize((int) (first.head().manifest().tree().endStep() + 127) / 128);
    assertThat(stream.steps()).hasSize(800).doesNotHaveDuplicates();
  }

  @Test
  void aSegmentWhosePutIsUnknownIsNotReferredToUntilItIsDurable() throws Exception {
    UnreliableStore store = new UnreliableStore();
    CommitFixture stream = new CommitFixture(store, 4);
    Committer committer = stream.committer();
    Term term = committer.open("p").term();
    var unused = committer.commit(publish(committer, term, 0, 300));
    store.on("segment/", Effect.LOST_REQUEST).on("segment/", Effect.LOST_REQUEST);
    unused = committer.commit(publish(committer, term, 300, 1));
    assertThat(committer.head().manifest().tree().references()).isEmpty();
    unused = committer.commit(publish(committer, term, 301, 1));
    assertThat(committer.head().manifest().tree().references()).isEmpty();
    unused = committer.commit(publish(committer, term, 302, 1));
    assertThat(committer.head().manifest().tree().references()).hasSize(1);
    assertThat(stream.steps()).hasSize(303);
  }

  @Test
  void aChangeThatIsMadeByAnotherWhileASegmentIsPutIsDone() throws Exception {
    UnreliableStore store = new UnreliableStore();
    CommitFixture stream = new CommitFixture(store, 10);
    Committer one = stream.committer();
    Term term = one.open("p").term();
    Term idle = one.open("idle").term();
    var published = one.commit(publish(one, term, 0, 300));
    Committer other = stream.committer();
    store.before(
        "segment/",
        Effect.LOST_REPLY,
        () -> assertThatCode(() -> retire(other, idle)).doesNotThrowAnyException());
    long version = retire(one, idle);
    assertThat(version).isEqualTo(published.head().version() + 1);
    assertThat(retire(other, idle)).isEqualTo(version);
  }

  private static long retire(Committer committer, Term term) throws Exception {
    return committer.commit(new RetireChange(committer.newCommitId(), term)).head().version();
  }

  @Test
  void theHeadIsBoundedWithAThousandProducersAndTheLongestDescriptors() throws Exception {
    CommitFixture stream = new CommitFixture(new MemoryStore(), 5);
    Committer committer = stream.committer();
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      terms.add(committer.open("pool-a-worker-%04d".formatted(i)).term());
    }
    long seq = 0;
    for (int i = 0; i < 40; i++) {
      Term term = terms.get(i * 20);
      var outcome = publishLongest(committer, term, 200);
      seq += term.entryIn(outcome.head().manifest()).nextSeq();
      assertThat(outcome.head().manifest().bytes())
          .isLessThanOrEqualTo(FormatLimits.MANIFEST_BYTES_MAX)
          .isEqualTo(
              outcome.head().manifest().encode(CommitFixture.NAMESPACE).stream()
                  .mapToLong(ByteBuffer::remaining)
                  .sum());
      assertThat(outcome.head().manifest().tailBytes())
          .isLessThanOrEqualTo(FormatLimits.TAIL_BYTES_MAX);
    }
    assertThat(seq).as("published in spite of it").isGreaterThan(40L * 50);
  }

  private static CommitOutcome publishLongest(Committer committer, Term term, int steps)
      throws Exception {
    return committer.commit(
        new PublishChange(
            committer.newCommitId(),
            term,
            longest(term, steps),
            List.of(Schema.RAW),
            SchemaChange.REFUSED));
  }

  @Test
  void anOpeningThatWouldOverfillTheTableIsRefused() throws Exception {
    CommitFixture stream = new CommitFixture(new MemoryStore(), 6);
    Committer committer = stream.committer();
    String longId = "x".repeat(59);
    int opened = 0;
    String message = "";
    while (message.isEmpty() && opened < 2_000) {
      try {
        Term term = committer.open(longId + "%05d".formatted(opened)).term();
        var unused = publishLongest(committer, term, 1);
        opened++;
      } catch (InvalidRequest e) {
        message = e.getMessage() + "";
      }
      assertThat(committer.head().manifest().bytes())
          .isLessThanOrEqualTo(FormatLimits.MANIFEST_BYTES_MAX);
    }
    assertThat(message).contains("active producers");
    assertThat(opened).isGreaterThan(300);
  }

  @Test
  void aProducerThatNoManifestHasRoomForIsToldSo() throws Exception {
    CommitFixture stream = new CommitFixture(new MemoryStore(), 7);
    Committer committer = stream.committer();
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < 850; i++) {
      terms.add(committer.open("a-worker-with-quite-a-long-name-%06d".formatted(i)).term());
    }
    String message = "";
    int published = 0;
    for (Term term : terms) {
      try {
        var unused = publishLongest(committer, term, 1);
        published++;
      } catch (InvalidRequest e) {
        message = e.getMessage() + "";
      }
    }
    assertThat(published).isGreaterThan(500);
    assertThat(message).contains("no room for another batch").contains("850 active producers");
  }

  @Test
  void manyProducersThatCloseInTurnLeaveRoomForTheNext() throws Exception {
    CommitFixture stream = new CommitFixture(new MemoryStore(), 8);
    List<Committer> committers = new ArrayList<>();
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      committers.add(stream.committer());
      terms.add(committers.get(i).open("preprocess-%08d".formatted(i)).term());
    }
    for (int i = 0; i < 400; i++) {
      Committer committer = committers.get(i);
      var unused = committer.commit(new RetireChange(committer.newCommitId(), terms.get(i)));
    }
    Committer last = stream.committer();
    assertThat(last.head().manifest().producers().retired())
        .hasSizeLessThanOrEqualTo(FormatLimits.RETIRED_MAX);
    assertThat(last.open("preprocess-00000007").entry().epoch()).isGreaterThan(800);
  }

  @Test
  void producersThatTakeTurnsAllPublishAllTheyHave() throws Exception {
    CommitFixture stream = new CommitFixture(new MemoryStore(), 9);
    int producers = 64;
    int each = 10;
    List<Committer> committers = new ArrayList<>();
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      committers.add(stream.committer());
      terms.add(committers.get(i).open("p" + i).term());
    }
    // The first believes itself alone until it loses a race.
    assertThat(committers.get(0).attempt(publish(committers.get(0), terms.get(0), 0, each)))
        .isInstanceOf(CommitOutcome.Lost.class);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < producers; i++) {
        PublishChange change = publish(committers.get(i), terms.get(i), (long) round * each, each);
        assertThat(committers.get(i).attempt(change))
            .as("nobody else commits meanwhile")
            .isInstanceOf(CommitOutcome.Committed.class);
      }
    }
    assertThat(stream.steps()).hasSize(5 * producers * each).doesNotHaveDuplicates();
  }

  private static List<Descriptor> longest(Term term, int count) {
    List<Descriptor> descriptors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ImageLocation image =
          new ImageLocation(-1L - i, i + 1_000, 1L << 59, 1L << 59, 0, 1 << 30, -1);
      List<Long> lengths = new ArrayList<>();
      for (int slice = 0; slice < 12; slice++) {
        lengths.add((1L << 30) + slice);
      }
      descriptors.add(
          new Descriptor(
              term.producer(),
              term.epoch(),
              i,
              "%064d".formatted(i),
              0,
              image,
              SliceIndex.of(lengths),
              CpLayout.ZIGZAG,
              42,
              UnknownFieldSet.getDefaultInstance()));
    }
    return descriptors;
  }
}
