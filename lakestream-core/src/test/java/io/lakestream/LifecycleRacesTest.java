// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.GroupNames;
import io.lakestream.format.Names;
import io.lakestream.format.PinRecord;
import io.lakestream.model.Cell;
import io.lakestream.model.Generation;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.Pin;
import io.lakestream.model.StepReclaimed;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Watermark;
import io.lakestream.policy.ForkSettings;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.Listings;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs, users and reclaimers that do something between two requests of one another. */
final class LifecycleRacesTest {
  private final Interrupted store = new Interrupted();

  /** What somebody does in between. */
  @FunctionalInterface
  private interface Act {
    void run() throws Exception;
  }

  /** A store with something that happens just before the next request for a key. */
  private static final class Interrupted extends ForwardingStore {
    private final Map<String, Act> acts = new HashMap<>();
    private final Map<String, Act> puts = new HashMap<>();
    private final Set<String> resent = new HashSet<>();
    private final Set<String> lost = new HashSet<>();

    Interrupted() {
      super(new MemoryStore());
    }

    void before(String key, Act act) {
      acts.put(key, act);
    }

    /** As {@link #before}, when the key is put. */
    void beforePut(String key, Act act) {
      puts.put(key, act);
    }

    /** The client sends the next put to a key again, though it took effect. */
    void resend(String key) {
      before(key, () -> resent.add(key));
    }

    /** The reply to the next put to a key is lost, after something has happened. */
    void loseReply(String key, Act act) {
      before(
          key,
          () -> {
            act.run();
            lost.add(key);
          });
    }

    private void act(String key) throws IOException {
      act(acts.remove(key));
    }

    private static void act(@Nullable Act act) throws IOException {
      if (act != null) {
        try {
          act.run();
        } catch (IOException | RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    }

    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      act(puts.remove(key));
      act(key);
      PutOutcome outcome = super.putIfAbsent(key, body);
      if (lost.remove(key)) {
        return PutOutcome.UNKNOWN;
      }
      return resent.remove(key) ? super.putIfAbsent(key, body) : outcome;
    }

    @Override
    public Optional<ByteBuffer> read(String key) throws IOException {
      act(key);
      return super.read(key);
    }

    @Override
    public void close() {
      // Several namespaces of a test use it.
    }
  }

  private static long reclaim(Namespace stream) throws InterruptedException {
    return stream.lifecycle().reclaim(ReclaimSettings.DEFAULT).firstStep();
  }

  private static Generation started(Namespace stream, long step) {
    return stream.lifecycle().start("train", 1, step);
  }

  private static void report(Namespace stream, Generation generation, long step) {
    var unused = stream.lifecycle().report(generation, 0, new Watermark(step, step));
  }

  @Test
  void aStartThatIsRefusedLeavesTheOneBeforeThoughItIsReclaimedMeanwhile() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      Generation first = started(stream, 0);
      store.before(
          GroupNames.generation("train", 2),
          () -> {
            report(stream, first, 6);
            assertThat(reclaim(stream)).isEqualTo(6);
          });
      store.before(GroupNames.voided("train", 2), () -> reclaim(stream));
      assertThatExceptionOfType(StepReclaimed.class).isThrownBy(() -> started(stream, 3));
      assertThat(stream.lifecycle().standings())
          .containsExactly(new GroupStanding(first, List.of(Optional.of(new Watermark(6, 6)))));
      assertThat(reclaim(stream)).isEqualTo(6);
    }
  }

  @Test
  void aStartWhosePutWasResentIsOneStart() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      store.resend(GroupNames.generation("train", 1));
      assertThat(started(stream, 3).number()).isEqualTo(1);
      assertThat(Listings.keys(store, GroupNames.GROUPS)).hasSize(1);
    }
  }

  @Test
  void aStartWhoseReplyIsLostIsNotTakenForThatOfAnotherLauncher() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      store.loseReply(
          GroupNames.generation("train", 1),
          () -> assertThat(started(stream, 3).number()).isEqualTo(1));
      assertThat(started(stream, 3).number()).isEqualTo(2);
      store.loseReply(GroupNames.generation("train", 3), () -> {});
      assertThat(started(stream, 3).number()).isEqualTo(3);
    }
  }

  @Test
  void startsGoOnceARankOfALaterOneHasReported() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      report(stream, started(stream, 0), 2);
      Generation second = started(stream, 2);
      assertThat(reclaim(stream)).isEqualTo(2);
      assertThat(Listings.keys(store, GroupNames.GROUPS)).hasSize(3);
      report(stream, second, 4);
      assertThat(reclaim(stream)).isEqualTo(4);
      assertThat(Listings.keys(store, GroupNames.GROUPS))
          .allMatch(key -> key.startsWith("group/train/00000000000000000002/"))
          .hasSize(2);
    }
  }

  @Test
  void aJobThatIsStartedAnewWhileItIsListedIsListedAnew() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      Generation first = started(stream, 0);
      store.before(
          GroupNames.generation("train", 1),
          () -> {
            report(stream, started(stream, 5), 7);
            assertThat(reclaim(stream)).isEqualTo(7);
          });
      List<GroupStanding> standings = stream.lifecycle().standings();
      assertThat(standings).extracting(GroupStanding::generation).doesNotContain(first).hasSize(1);
    }
  }

  @Test
  void aReportThatWasNeverGrantedProvesNothingToTheNext() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      Generation generation = started(stream, 0);
      report(stream, generation, 8);
      assertThat(reclaim(stream)).isEqualTo(8);
      GroupNames.Report late = new GroupNames.Report(0, 2, new Watermark(3, 3));
      var unused = store.putIfAbsent(GroupNames.report("train", 1, late), Body.of(new byte[0]));
      assertThatExceptionOfType(StepReclaimed.class)
          .isThrownBy(() -> report(stream, generation, 5));
    }
  }

  @Test
  void theTrimThatADeadReclaimerAnnouncedRefusesNobody() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      Pin pin = stream.lifecycle().pin(8, "checkpoint");
      long head = stream.view().summary().version();
      store.before(
          Names.manifest(head + 2),
          () -> {
            throw new IOException("died");
          });
      assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> reclaim(stream));
      Generation generation = started(stream, 3);
      report(stream, generation, 4);
      assertThat(stream.lifecycle().unpin(pin.name())).isTrue();
      assertThat(reclaim(stream)).isEqualTo(4);
    }
  }

  @Test
  void orphansGoThoughEveryStepIsGone() throws Exception {
    try (Namespace stream = Streams.sealed(store, 10)) {
      String orphan = Names.data("p", 1, 3, 4711);
      var unused = store.putIfAbsent(orphan, Body.of(new byte[] {1}));
      stream.lifecycle().pin(10, "the end");
      assertThat(reclaim(stream)).isEqualTo(10);
      assertThat(Listings.keys(store, Names.DATA)).isEmpty();
    }
  }

  private static PinRecord pinOf(Namespace fork, long step) {
    return new PinRecord(step, 7, "fork memory:///fork", Optional.of(fork.uuid()));
  }

  private Namespace forked(Namespace stream, ObjectStore place) {
    return Lakestream.fork(stream, place, "memory:///fork", ForkSettings.at(95));
  }

  /** A pass of the fork that died has put the pin and not seen that it holds. */
  @Test
  void aPinOfAForkThatWasNotGrantedDoesNotTakeThePlaceOfOneThatWas() throws Exception {
    Streams.sealed(store, 100).close();
    try (Namespace stream =
            Lakestream.open(store, "memory:///test", Environment.system(), place -> store);
        ObjectStore place = new MemoryStore()) {
      stream.lifecycle().pin(90, "checkpoint");
      long head = stream.view().summary().version();
      List<Namespace> forks = new ArrayList<>();
      store.beforePut(
          Names.manifest(head + 1),
          () -> {
            Namespace fork = forked(stream, place);
            forks.add(fork);
            String first = stream.lifecycle().pinned().get(0).name();
            store.before(Names.PINS + first, () -> giveUp(fork, 20));
          });
      assertThat(reclaim(stream)).isZero();
      Namespace fork = forks.get(0);
      assertThat(stream.lifecycle().pinned()).extracting(Pin::step).containsExactly(20L, 90L);
      assertThat(reclaim(stream)).isEqualTo(20);
      assertThat(Streams.text(fork.view().slice(20, new Cell(0, 0)))).startsWith("p 20 ");
    }
  }

  private void giveUp(Namespace fork, long step) throws Exception {
    PinRecord pin = pinOf(fork, step);
    UUID source = fork.view().summary().sources().get(0).uuid();
    store.put(pin.key(), Body.of(pin.encode(source)));
    fork.lifecycle().pin(step, "checkpoint");
    assertThat(reclaim(fork)).isEqualTo(step);
  }

  @Test
  void aSlowerPassOfAForkLeavesThePinOfAFasterOne() throws Exception {
    Streams.sealed(store, 100).close();
    try (Namespace stream =
            Lakestream.open(store, "memory:///test", Environment.system(), place -> store);
        ObjectStore place = new MemoryStore();
        Namespace fork = forked(stream, place)) {
      fork.lifecycle().pin(20, "checkpoint");
      PinRecord faster = pinOf(fork, 40);
      store.put(faster.key(), Body.of(faster.encode(stream.uuid())));
      assertThat(reclaim(fork)).isEqualTo(20);
      assertThat(stream.lifecycle().pinned()).extracting(Pin::step).containsExactly(0L, 40L);
    }
  }
}
