// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.Streams.EAGER;
import static io.lakestream.Streams.FIRST;
import static io.lakestream.Streams.batch;
import static io.lakestream.Streams.readAll;
import static io.lakestream.Streams.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.lakestream.format.Names;
import io.lakestream.format.PinRecord;
import io.lakestream.model.CheckReport;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.Cursor;
import io.lakestream.model.DataLoss;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.NamespaceExists;
import io.lakestream.model.Pin;
import io.lakestream.model.Promise;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.Reclaimed;
import io.lakestream.model.SealMode;
import io.lakestream.model.StepInfo;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.ForkSettings;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.Listings;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.UnreliableStore;
import io.lakestream.store.UnreliableStore.Effect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A fork has the steps of its source up to one, goes its own way, and its source keeps them. */
final class ForkTest {
  private static final String SOURCE = "memory:///source";
  private static final String FORK = "memory:///fork";

  private final Map<String, ObjectStore> stores = new TreeMap<>();
  private final Function<String, ObjectStore> opener = this::shared;
  private final List<Namespace> opened = new ArrayList<>();
  private final Namespace source;

  ForkTest() {
    stores.put(SOURCE, new UnreliableStore());
    stores.put(FORK, new UnreliableStore());
    var unused = Lakestream.create(shared(SOURCE), SOURCE, Streams.MESH, Environment.system());
    source = open(SOURCE);
  }

  @AfterEach
  void close() {
    opened.forEach(Namespace::close);
  }

  private UnreliableStore store(String place) {
    return (UnreliableStore) stores.computeIfAbsent(place, unused -> new UnreliableStore());
  }

  /** A store that outlives the namespaces that use it. */
  private ObjectStore shared(String place) {
    return new ForwardingStore(stores.computeIfAbsent(place, unused -> new UnreliableStore())) {
      @Override
      public void close() {}
    };
  }

  private Namespace open(String place) {
    Namespace stream = Lakestream.open(shared(place), place, Environment.system(), opener);
    opened.add(stream);
    return stream;
  }

  private Namespace fork(Namespace of, String place, ForkSettings settings) {
    Namespace fork = Lakestream.fork(of, shared(place), place, settings);
    opened.add(fork);
    return fork;
  }

  private Namespace fork(long at) {
    return fork(source, FORK, ForkSettings.at(at));
  }

  /** Batches of one producer, from where it is on, each in a version of its own if asked for. */
  private static void write(Namespace stream, String producer, int from, int to) throws Exception {
    try (Producer writer = stream.producer(producer, EAGER, PublicationListener.none())) {
      for (int i = from; i < to; i++) {
        writer.write(batch(producer, i), "offset " + i);
      }
    }
  }

  private static void seal(Namespace stream) throws Exception {
    stream.seal(SealMode.FORCED);
  }

  private static List<String> steps(Namespace stream, Cursor from) throws Exception {
    return readAll(stream.consumer(FIRST, from, ConsumerSettings.DEFAULT));
  }

  private static List<String> expected(String producer, int from, int to) {
    List<String> texts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      texts.add(producer + " " + i + " " + FIRST.cell());
    }
    return texts;
  }

  private static List<String> problems(Namespace stream) throws Exception {
    return stream
        .check(CheckReport.Depth.EVERY_BYTE, CheckReport.Listener.none())
        .problems()
        .stream()
        .map(Object::toString)
        .toList();
  }

  private static long reclaim(Namespace stream) throws Exception {
    return stream.lifecycle().reclaim(ReclaimSettings.DEFAULT.keeping(1)).firstStep();
  }

  @Test
  void aForkHasTheStepsBeforeAndGoesItsOwnWay() throws Exception {
    write(source, "p", 0, 300);
    Namespace fork = fork(250);
    try (Producer producer = fork.producer("p", EAGER, PublicationListener.none())) {
      assertThat(producer.recoveredOffset()).contains("offset 249");
      assertThat(producer.recoveredTgbs()).isEqualTo(250);
    }
    write(fork, "other", 0, 200);
    seal(fork);
    seal(source);
    List<String> both = expected("p", 0, 250);
    both.addAll(expected("other", 0, 200));
    assertThat(steps(open(FORK), Cursor.start(fork.uuid()))).isEqualTo(both);
    assertThat(steps(source, Cursor.start(source.uuid()))).isEqualTo(expected("p", 0, 300));
    assertThat(text(fork.view().slice(7, FIRST.cell()))).startsWith("p 7 ");
    assertThat(fork.view().footer(7).mesh()).isEqualTo(Streams.MESH);
    assertThat(problems(fork)).isEmpty();
    assertThat(problems(source)).isEmpty();
    assertThat(Listings.keys(store(FORK), Names.DATA))
        .as("no batch was copied")
        .hasSizeLessThan(201);
  }

  @Test
  void epochsGoOnRising() throws Exception {
    write(source, "p", 0, 10);
    write(source, "p", 10, 20);
    Namespace fork = fork(20);
    write(fork, "p", 20, 30);
    long last = 0;
    for (long step = 0; step < 30; step++) {
      StepInfo info = fork.view().step(step);
      assertThat(info.epoch()).isGreaterThanOrEqualTo(last);
      assertThat(info.seq()).isEqualTo(step);
      last = info.epoch();
    }
  }

  @Test
  void aCursorOfTheSourceGoesOnInTheForkUpToTheFork() throws Exception {
    write(source, "p", 0, 300);
    try (Consumer consumer = source.consumer(FIRST)) {
      for (int i = 0; i < 100; i++) {
        assertThat(consumer.next()).isPresent();
      }
      Cursor cursor = consumer.cursor();
      Namespace fork = fork(200);
      write(fork, "q", 0, 5);
      seal(fork);
      List<String> rest = expected("p", 100, 200);
      rest.addAll(expected("q", 0, 5));
      assertThat(steps(fork, cursor)).isEqualTo(rest);
      Cursor last = new Cursor(source.uuid(), cursor.version(), 200, 0);
      assertThat(steps(fork, last)).isEqualTo(expected("q", 0, 5));
      try (Consumer there = fork.consumer(FIRST, last, ConsumerSettings.DEFAULT)) {
        assertThat(there.cursor().namespace()).isEqualTo(fork.uuid());
      }
      Cursor beyond = new Cursor(source.uuid(), cursor.version(), 201, 0);
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> steps(fork, beyond))
          .withMessageContaining("which this one left at step 200");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> steps(source, Cursor.start(fork.uuid())))
          .withMessageContaining("saved by another run");
    }
  }

  @Test
  void theSourceKeepsWhatTheForkNeedsUntilTheForkGivesItUp() throws Exception {
    write(source, "p", 0, 400);
    Pin own = source.lifecycle().pin(390, "checkpoint");
    Namespace fork = fork(source, FORK, ForkSettings.at(300).from(50));
    write(fork, "p", 300, 420);
    assertThat(source.lifecycle().pinned())
        .extracting(Pin::step, Pin::label, Pin::holder)
        .containsExactly(
            tuple(50L, "fork " + FORK, Pin.Holder.FORK), tuple(390L, own.label(), Pin.Holder.USER));
    assertThat(reclaim(source)).isEqualTo(50);
    assertThat(problems(fork)).isEmpty();
    assertThatExceptionOfType(StepReclaimed.class).isThrownBy(() -> fork.view().step(49));

    Pin later = fork.lifecycle().pin(200, "checkpoint");
    assertThat(reclaim(fork)).isEqualTo(200);
    assertThat(problems(fork)).isEmpty();
    assertThat(problems(source)).as("the fork deleted nothing of its source").isEmpty();
    assertThat(reclaim(source)).isEqualTo(200);
    assertThat(problems(fork)).isEmpty();

    fork.lifecycle().pin(410, "checkpoint");
    fork.lifecycle().unpin(later.name());
    assertThat(reclaim(fork)).isEqualTo(410);
    assertThat(source.lifecycle().pinned()).containsExactly(own);
    assertThat(reclaim(source)).isEqualTo(390);
    assertThat(problems(fork)).isEmpty();
    assertThat(problems(source)).isEmpty();
    assertThat(reclaim(fork)).as("the source is not needed any more").isEqualTo(410);
  }

  @Test
  void aPinThatSomebodyRemovedIsSetAgain() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    source.lifecycle().unpin(source.lifecycle().pinned().get(0).name());
    assertThat(reclaim(fork)).isZero();
    assertThat(source.lifecycle().pinned()).extracting(Pin::step).containsExactly(0L);
  }

  @Test
  void aForkThatNeedsNothingOfItsSourceHoldsNothing() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(source, FORK, ForkSettings.at(100).from(100));
    assertThat(source.lifecycle().pinned()).isEmpty();
    write(fork, "p", 100, 110);
    seal(fork);
    assertThat(steps(fork, new Cursor(source.uuid(), 0, 100, 0)))
        .isEqualTo(expected("p", 100, 110));
    assertThat(problems(fork)).isEmpty();
  }

  @Test
  void aForkOfAForkReadsBothSources() throws Exception {
    write(source, "p", 0, 200);
    Namespace fork = fork(150);
    write(fork, "q", 0, 150);
    Namespace second = fork(fork, "memory:///second", ForkSettings.at(250));
    write(second, "r", 0, 50);
    seal(second);
    List<String> all = expected("p", 0, 150);
    all.addAll(expected("q", 0, 100));
    all.addAll(expected("r", 0, 50));
    assertThat(steps(second, Cursor.start(second.uuid()))).isEqualTo(all);
    assertThat(steps(second, new Cursor(source.uuid(), 0, 140, 0))).hasSize(160);
    assertThat(steps(second, new Cursor(fork.uuid(), 0, 240, 0))).hasSize(60);
    assertThat(problems(second)).isEmpty();
    Namespace early = fork(fork, "memory:///early", ForkSettings.at(100));
    seal(early);
    assertThat(steps(early, Cursor.start(early.uuid()))).isEqualTo(expected("p", 0, 100));
  }

  @Test
  void aLongHistoryIsForkedAtAnyStep() throws Exception {
    write(source, "p", 0, 5_000);
    for (int at : new int[] {0, 1, 64, 127, 128, 4_095, 4_096, 4_097, 4_999, 5_000}) {
      String place = "memory:///fork-" + at;
      Namespace fork = fork(source, place, ForkSettings.at(at));
      write(fork, "q", 0, 300);
      assertThat(fork.view().summary().nextStep()).isEqualTo(at + 300L);
      for (long step : new long[] {0, at / 2, at - 1L, at, at + 299L}) {
        if (step >= 0) {
          String writer = step < at ? "p " + step : "q " + (step - at);
          assertThat(text(fork.view().slice(step, FIRST.cell()))).startsWith(writer + " ");
        }
      }
      assertThat(problems(fork)).as("fork at %d", at).isEmpty();
    }
  }

  @Test
  void aHistoryThatWasReclaimedIsForkedFromWhatIsThere() throws Exception {
    write(source, "p", 0, 1_000);
    source.lifecycle().pin(700, "checkpoint");
    assertThat(reclaim(source)).isEqualTo(700);
    assertThatExceptionOfType(StepReclaimed.class)
        .isThrownBy(() -> fork(699))
        .withMessageContaining("first step there is now is 700");
    assertThatExceptionOfType(StepReclaimed.class)
        .isThrownBy(() -> fork(source, FORK, ForkSettings.at(800).from(699)));
    assertThat(Listings.keys(store(FORK), "")).isEmpty();
    Namespace fork = fork(900);
    assertThat(fork.view().summary().firstStep()).isEqualTo(700);
    assertThat(problems(fork)).isEmpty();
  }

  @Test
  void producersGoOnWhereTheyStoodAtTheFork() throws Exception {
    write(source, "early", 0, 10);
    write(source, "p", 0, 20);
    write(source, "q", 0, 5);
    write(source, "p", 20, 40);
    write(source, "late", 0, 5);
    write(source, "early", 10, 11);
    Namespace fork = fork(40);
    assertThat(fork.view().producers())
        .extracting(
            StreamView.ProducerStatus::id,
            StreamView.ProducerStatus::tgbs,
            status -> status.offset().orElseThrow())
        .containsExactlyInAnyOrder(
            tuple("early", 10L, "offset 9"),
            tuple("p", 25L, "offset 24"),
            tuple("q", 5L, "offset 4"));
  }

  @Test
  void aProducerThatStoodNobodyKnowsWhereIsNotResumed() throws Exception {
    write(source, "p", 0, 100);
    write(source, "q", 0, 50);
    write(source, "p", 100, 200);
    source.lifecycle().pin(120, "checkpoint");
    assertThat(reclaim(source)).isEqualTo(120);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> fork(130))
        .withMessageContaining("where producer 'p' stood at step 130")
        .withMessageContaining("fork at a later step, or with new producers");
    assertThat(source.lifecycle().pinned()).hasSize(1);
    assertThat(Listings.keys(store(FORK), "")).isEmpty();
    Namespace fork = fork(source, FORK, ForkSettings.at(130).with(ForkSettings.Producers.NEW));
    try (Producer producer = fork.producer("p", EAGER, PublicationListener.none())) {
      assertThat(producer.recoveredOffset()).isEmpty();
    }
    write(fork, "p", 0, 3);
    assertThat(problems(fork)).isEmpty();
  }

  @Test
  void manyProducersAreResumed() throws Exception {
    for (int i = 0; i < 150; i++) {
      write(source, "p" + i, 0, 2);
    }
    Namespace fork = fork(300);
    for (int i = 0; i < 150; i += 49) {
      try (Producer producer = fork.producer("p" + i, EAGER, PublicationListener.none())) {
        assertThat(producer.recoveredOffset()).contains("offset 1");
      }
    }
    assertThat(problems(fork)).isEmpty();
  }

  @Test
  void whatCannotBeForkedIsRefusedAndLeavesNothing() throws Exception {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> fork(0))
        .withMessageContaining("nothing to fork yet");
    write(source, "p", 0, 10);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> fork(11))
        .withMessageContaining("step 11 is beyond the head: the stream has 10 steps so far");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> ForkSettings.at(5).from(6))
        .withMessageContaining("a fork at step 5 cannot have steps from 6 on");
    assertThatExceptionOfType(InvalidRequest.class).isThrownBy(() -> ForkSettings.at(-1));
    assertThatExceptionOfType(NamespaceExists.class)
        .isThrownBy(() -> fork(source, SOURCE, ForkSettings.at(5)));
    store(FORK).put("some/thing", Body.of(new byte[1]));
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> fork(5))
        .withMessageContaining("something is, such as some/thing")
        .withMessageContaining("choose another place, or remove it once nobody forks to there");
    assertThat(source.lifecycle().pinned()).isEmpty();
    assertThat(Listings.keys(store(FORK), "")).containsExactly("some/thing");
  }

  @Test
  void aForkThatFailsIsUndone() throws Exception {
    write(source, "p", 0, 300);
    store(FORK).on(Names.MANIFESTS, Effect.REFUSED);
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> fork(200));
    assertThat(Listings.keys(store(FORK), "")).isEmpty();
    assertThat(source.lifecycle().pinned()).isEmpty();
    assertThat(fork(200).view().summary().nextStep()).isEqualTo(200);
  }

  @Test
  void lostRepliesDoNotHarmAFork() throws Exception {
    write(source, "p", 0, 300);
    for (String prefix :
        List.of(Names.BOUNDARIES, Names.SEGMENTS, Names.MANIFESTS, Names.NAMESPACE)) {
      store(FORK).on(prefix, Effect.LOST_REPLY);
    }
    store(SOURCE).on(Names.PINS, Effect.LOST_REPLY);
    Namespace fork = fork(200);
    assertThat(problems(fork)).isEmpty();
    assertThat(source.lifecycle().pinned()).hasSize(1);
  }

  @Test
  void aForkOfWhichNobodyKnowsIsNotUndone() throws Exception {
    write(source, "p", 0, 300);
    store(FORK).on(Names.NAMESPACE, Effect.LATE);
    assertThatExceptionOfType(CommitUnknown.class).isThrownBy(() -> fork(200));
    store(FORK).land();
    assertThat(problems(open(FORK))).isEmpty();
    assertThat(source.lifecycle().pinned()).hasSize(1);
  }

  @Test
  void twoForksDoNotShareAPlace() throws Exception {
    write(source, "p", 0, 300);
    store(FORK)
        .before(
            Names.BOUNDARIES,
            Effect.LOST_REQUEST,
            () -> {
              Namespace first = fork(100);
              assertThat(first.view().summary().nextStep()).isEqualTo(100);
            });
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> fork(200))
        .withMessageContaining("somebody else is making a namespace");
    Namespace there = open(FORK);
    assertThat(there.view().summary().nextStep()).isEqualTo(100);
    assertThat(problems(there)).isEmpty();
    assertThat(source.lifecycle().pinned()).hasSize(1);
  }

  @Test
  void aSourceThatIsGoneIsSaid() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    stores.put(SOURCE, new MemoryStore());
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> open(FORK).view().slice(3, FIRST.cell()))
        .withMessageContaining("which is not at " + SOURCE + " any more (nothing is there)");
    assertThat(problems(open(FORK))).hasSize(1);
    assertThat(fork.uuid()).isNotEqualTo(source.uuid());
  }

  @Test
  void whatIsMissingInTheSourceIsFoundByACheckOfTheFork() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    String key = fork.view().step(10).objects().get(0);
    store(SOURCE).delete(List.of(key));
    assertThat(problems(fork))
        .hasSize(1)
        .first()
        .asString()
        .contains(key, "is missing at " + SOURCE);
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> fork.view().slice(10, FIRST.cell()))
        .withMessageContainingAll(key + " at " + SOURCE, "step 10 refers to it");
  }

  /** The first look at a pin in the source comes when the fork has just been reclaimed. */
  private void reclaimWhenThePinIsRead() {
    Namespace fork = open(FORK);
    stores.put(
        SOURCE,
        new ForwardingStore(store(SOURCE)) {
          private boolean isReclaimed;

          @Override
          public Optional<ByteBuffer> read(String key) throws IOException {
            if (key.startsWith(Names.PINS) && !isReclaimed) {
              isReclaimed = true;
              assertThatCode(() -> reclaim(fork)).doesNotThrowAnyException();
            }
            return target().read(key);
          }
        });
  }

  @Test
  void aForkThatIsReclaimedWhileItIsCheckedIsSound() throws Exception {
    write(source, "p", 0, 100);
    fork(80).lifecycle().pin(50, "checkpoint");
    reclaimWhenThePinIsRead();
    assertThat(problems(open(FORK))).isEmpty();
    assertThat(open(FORK).view().summary().firstStep()).isEqualTo(50);
  }

  @Test
  void aPinThatMovesWhileItIsLookedForIsFound() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    fork.lifecycle().pin(50, "checkpoint");
    store(SOURCE).on(Names.PINS, Effect.REFUSED);
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> reclaim(fork));
    assertThat(fork.view().summary().firstStep()).isEqualTo(50);
    assertThat(source.lifecycle().pinned()).as("as before").extracting(Pin::step).containsOnly(0L);
    reclaimWhenThePinIsRead();
    assertThat(problems(open(FORK))).isEmpty();
  }

  @Test
  void aPassThatFallsBehindAnotherLeavesThePinToIt() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    Pin low = fork.lifecycle().pin(30, "low");
    source.lifecycle().pin(100, "checkpoint");
    store(SOURCE)
        .before(
            Names.PINS,
            Effect.LOST_REPLY,
            () ->
                assertThatCode(
                        () -> {
                          fork.lifecycle().pin(60, "high");
                          assertThat(fork.lifecycle().unpin(low.name())).isTrue();
                          assertThat(reclaim(fork)).isEqualTo(60);
                          assertThat(reclaim(source)).isEqualTo(60);
                        })
                    .doesNotThrowAnyException());
    assertThat(reclaim(fork)).isEqualTo(30);
    assertThat(source.lifecycle().pinned()).extracting(Pin::step).containsExactly(60L, 100L);
    assertThat(problems(fork)).isEmpty();
  }

  @Test
  void aForkWhoseStepsWereReclaimedInItsSourceSaysWhere() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    Pin held = source.lifecycle().pinned().get(0);
    source.lifecycle().pin(90, "checkpoint");
    assertThat(source.lifecycle().unpin(held.name())).isTrue();
    assertThat(reclaim(source)).isEqualTo(90);
    fork.lifecycle().pin(50, "checkpoint");
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> reclaim(fork))
        .withMessageContainingAll("from step 50 on", "reclaimed at " + SOURCE);
  }

  @Test
  void whatAForkGivesUpIsNotGivenUpForItsSource() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    fork.lifecycle().pin(60, "checkpoint");
    assertThat(reclaim(fork)).isEqualTo(60);
    Reclaimed reclaimed = source.lifecycle().reclaim(ReclaimSettings.DEFAULT);
    assertThat(reclaimed.firstStep()).isZero();
    assertThat(reclaimed.heldBy()).isEmpty();
    assertThat(reclaimed.promises())
        .extracting(Promise::kind, Promise::step)
        .containsExactly(tuple(Promise.Kind.FORK, 60L));
  }

  @Test
  void aForkGoesOnWhenItsSourceIsRemovedThatItNeedsNoMore() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    write(fork, "q", 0, 10);
    fork.lifecycle().pin(85, "checkpoint");
    assertThat(reclaim(fork)).isEqualTo(85);
    stores.put(SOURCE, new MemoryStore());
    assertThat(reclaim(open(FORK))).isEqualTo(85);
    assertThat(problems(open(FORK))).isEmpty();
  }

  @Test
  void aForkThatNeedsItsRemovedSourceSaysSoWhenItIsReclaimed() throws Exception {
    write(source, "p", 0, 100);
    fork(80).lifecycle().pin(50, "checkpoint");
    stores.put(SOURCE, new MemoryStore());
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> reclaim(open(FORK)))
        .withMessageContaining("which is not at " + SOURCE);
  }

  @Test
  void aNamespaceThatIsCreatedMeanwhileKeepsWhatItHas() throws Exception {
    write(source, "p", 0, 300);
    store(FORK).before(Names.NAMESPACE, Effect.LOST_REPLY, this::createAnother);
    assertThatExceptionOfType(NamespaceExists.class).isThrownBy(() -> fork(200));
    assertThat(Listings.keys(store(FORK), "")).containsExactly(Names.manifest(1), Names.NAMESPACE);
    assertThat(source.lifecycle().pinned()).isEmpty();
  }

  private void createAnother() {
    try {
      ByteBuffer bytes = store(SOURCE).read(Names.NAMESPACE).orElseThrow();
      byte[] record = new byte[bytes.remaining()];
      bytes.get(record);
      store(FORK).put(Names.NAMESPACE, Body.of(record));
      store(FORK).put(Names.manifest(1), Body.of(new byte[9]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFirstVersionOfWhichNobodyKnowsIsNotUndone() throws Exception {
    write(source, "p", 0, 300);
    for (int i = 0; i < 3; i++) {
      store(FORK).on(Names.MANIFESTS, Effect.LOST_REQUEST);
    }
    assertThatExceptionOfType(CommitUnknown.class)
        .isThrownBy(() -> fork(200))
        .withMessageContaining("remove the pin of the fork and what is at its place");
    assertThat(source.lifecycle().pinned()).hasSize(1);
    assertThat(Listings.keys(store(FORK), Names.BOUNDARIES)).hasSize(1);
  }

  @Test
  void anInterruptedForkIsUndone() throws Exception {
    write(source, "p", 0, 600);
    Thread forking = Thread.currentThread();
    store(FORK)
        .before(
            Names.SEGMENTS,
            Effect.LOST_REPLY,
            () -> {
              forking.interrupt();
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)); // Others end meanwhile.
            });
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> fork(599))
        .withMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(Listings.keys(store(FORK), "")).isEmpty();
    assertThat(source.lifecycle().pinned()).isEmpty();
  }

  @Test
  void aForkRemovesThePinsOfThoseThatWereKilledBeforeIt() throws Exception {
    write(source, "p", 0, 100);
    source.lifecycle().pin(5, "fork " + FORK);
    PinRecord killed = new PinRecord(0, 3, "fork " + FORK, Optional.of(new UUID(1, 2)));
    PinRecord elsewhere = new PinRecord(0, 4, "fork memory:///x", Optional.of(new UUID(3, 4)));
    for (PinRecord pin : List.of(killed, elsewhere)) {
      store(SOURCE).put(pin.key(), Body.of(pin.encode(source.uuid())));
    }
    Namespace fork = fork(80);
    assertThat(source.lifecycle().pinned())
        .extracting(Pin::step, Pin::label)
        .containsExactlyInAnyOrder(
            tuple(0L, "fork memory:///x"), tuple(0L, "fork " + FORK), tuple(5L, "fork " + FORK));
    assertThat(problems(fork)).isEmpty();
  }

  @Test
  void noNamespaceIsMadeOfTheRemainsOfAFork() throws Exception {
    write(source, "p", 0, 100);
    store(FORK).on(Names.NAMESPACE, Effect.LOST_REQUEST);
    assertThatExceptionOfType(CommitUnknown.class).isThrownBy(() -> fork(80));
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(
            () -> Lakestream.create(shared(FORK), FORK, Streams.MESH, Environment.system()).close())
        .withMessageContaining("something is, such as boundary/00000000000000000001");
  }

  @Test
  void aCheckFindsThatTheSourceKeepsNothingForAFork() throws Exception {
    write(source, "p", 0, 100);
    Namespace fork = fork(80);
    source.lifecycle().unpin(source.lifecycle().pinned().get(0).name());
    assertThat(problems(fork)).hasSize(1).first().asString().contains("has no pin of this fork");
    assertThat(reclaim(fork)).isZero();
    assertThat(problems(fork)).isEmpty();
  }

  @Test
  void aCheckFindsDamagedPromises() throws Exception {
    write(source, "p", 0, 100);
    source.lifecycle().pin(5, "checkpoint");
    source.lifecycle().start("train", 1, 5);
    for (String folder : List.of(Names.PINS, "group/")) {
      String key = Listings.keys(store(SOURCE), folder).get(0);
      ByteBuffer sound = store(SOURCE).read(key).orElseThrow();
      store(SOURCE).put(key, Body.of(new byte[0]));
      assertThat(problems(source)).hasSize(1).first().asString().contains(key, "is corrupt at");
      store(SOURCE).put(key, Body.of(sound));
    }
    assertThat(problems(source)).isEmpty();
  }

  @Test
  void aForkWhoseOwnSourceIsGoneIsNotForked() throws Exception {
    write(source, "p", 0, 100);
    fork(80);
    stores.put(SOURCE, new MemoryStore());
    Namespace fork = open(FORK);
    assertThatExceptionOfType(DataLoss.class)
        .isThrownBy(() -> fork(fork, "memory:///second", ForkSettings.at(50)))
        .withMessageContaining("which is not at " + SOURCE);
    assertThat(fork.lifecycle().pinned()).isEmpty();
    assertThat(Listings.keys(store("memory:///second"), "")).isEmpty();
  }
}
