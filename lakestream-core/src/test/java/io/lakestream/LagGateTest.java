// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.commit.Term;
import io.lakestream.lifecycle.LagGate;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Generation;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Pin;
import io.lakestream.model.ProducerFenced;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.Watermark;
import io.lakestream.policy.CommitPolicy;
import io.lakestream.policy.LagLimits;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.store.MemoryStore;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A producer runs ahead as far as it may, and says what it waits for. */
final class LagGateTest {
  private static final long NONE = LagLimits.NONE.lagMax();
  private static final long SECONDS_MAX = 60;

  private final MemoryStore store = new MemoryStore();

  private LagGate gate(Namespace stream, long lagMax, long leadMax) throws IOException {
    ManifestLog log = new ManifestLog(store, stream.uuid());
    var head = log.heads().find(0);
    Term term = Term.of("p", head.manifest()).orElseThrow();
    return new LagGate(log, term, new LagLimits(lagMax, leadMax), head);
  }

  private static void write(Producer producer, int from, int to) throws InterruptedException {
    for (int i = from; i < to; i++) {
      producer.write(Streams.batch("p", i), "");
    }
    producer.flush();
  }

  @Test
  void theLagIsAgainstTheLowestPromise() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = Streams.producer(stream, "p")) {
      Lifecycle lifecycle = stream.lifecycle();
      LagGate gate = gate(stream, 10, NONE);
      assertThat(gate.isOpen(9)).isTrue();
      assertThat(gate.isOpen(10)).isFalse();
      assertThat(gate.waitsFor().orElseThrow())
          .startsWith("nobody has reported a checkpoint or pinned a step; 10 steps");
      write(producer, 0, 10);
      Generation start = lifecycle.start("train", 1, 0);
      assertThat(gate.isOpen(10)).isFalse();
      assertThat(gate.waitsFor().orElseThrow())
          .isEqualTo(
              "rank 0 of start 1 of group train, which has not reported, holds step 0, 10 steps"
                  + " behind");
      lifecycle.report(start, 0, new Watermark(0, 10));
      assertThat(gate.isOpen(10)).isFalse();
      assertThat(gate.waitsFor().orElseThrow())
          .contains("unless they save a checkpoint of what they read, this never ends");
      Pin pin = lifecycle.pin(4, "best");
      lifecycle.report(start, 0, new Watermark(10, 10));
      assertThat(gate.isOpen(13)).isTrue();
      assertThat(gate.waitsFor()).isEmpty();
      assertThat(gate.isOpen(14)).isFalse();
      assertThat(gate.waitsFor().orElseThrow()).contains("only removing that pin helps");
      lifecycle.unpin(pin.name());
      assertThat(gate.isOpen(19)).isTrue();
      assertThat(gate.isOpen(20)).isFalse();
    }
  }

  @Test
  void theLeadIsAgainstTheSlowestRank() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = Streams.producer(stream, "p")) {
      LagGate gate = gate(stream, NONE, 5);
      Generation start = stream.lifecycle().start("train", 2, 0);
      write(producer, 0, 5);
      stream.lifecycle().report(start, 0, new Watermark(0, 5));
      assertThat(gate.isOpen(5)).isFalse();
      stream.lifecycle().report(start, 1, new Watermark(0, 3));
      assertThat(gate.isOpen(7)).isTrue();
      assertThat(gate.isOpen(8)).isFalse();
      assertThat(gate.waitsFor().orElseThrow())
          .isEqualTo("the slowest rank has read to step 3, 5 steps behind");
    }
  }

  @Test
  void severalProducersShareWhatIsLeft() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = Streams.producer(stream, "p");
        Producer other = Streams.producer(stream, "q")) {
      LagGate gate = gate(stream, 80, NONE);
      assertThat(gate.isOpen(0)).isTrue();
      write(other, 0, 54);
      assertThat(gate.isOpen(25)).as("a third of 80 was its share").isTrue();
      assertThat(gate.isOpen(26)).as("it looked again, and no room is left").isFalse();
      assertThat(gate.waitsFor().orElseThrow()).contains("80 steps are there or on the way");
      write(producer, 0, 26);
      assertThat(stream.view().summary().nextStep()).isEqualTo(80);
    }
  }

  @Test
  void whatIsOnTheWayCountsAsPartOfTheShare() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = Streams.producer(stream, "p");
        Producer other = Streams.producer(stream, "q")) {
      LagGate gate = gate(stream, 80, NONE);
      write(other, 0, 50);
      assertThat(gate.isOpen(9)).as("a third of 30 is its share").isTrue();
      assertThat(gate.isOpen(10)).isFalse();
      assertThat(gate.waitsFor().orElseThrow())
          .isEqualTo(
              "10 batches are on the way, its share of what is left; it goes on when they are"
                  + " published");
      write(producer, 0, 10);
      assertThat(gate.isOpen(15)).as("and now a third of 20").isTrue();
      assertThat(gate.isOpen(16)).isFalse();
    }
  }

  /** Commits every five batches. */
  private record EveryFive() implements CommitPolicy {
    @Override
    public long waitNanos(int pendingTgbs, long sinceAttemptNanos) {
      return pendingTgbs < 5 ? UNTIL_MORE : 0;
    }

    @Override
    public CommitPolicy after(Attempt attempt) {
      return this;
    }
  }

  @Test
  void aPolicyThatWaitsForMoreBatchesThanAreLetInCommitsThoseThereAre() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    ProducerSettings settings =
        Streams.EAGER.withPolicy(tau -> new EveryFive()).withLimits(new LagLimits(3, NONE));
    try (Namespace stream = Streams.create(store);
        Producer producer = stream.producer("p", settings, PublicationListener.none())) {
      Generation start = stream.lifecycle().start("train", 1, 0);
      Future<?> writing =
          threads.submit(
              () -> {
                write(producer, 0, 4);
                return null;
              });
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
      while (stream.view().summary().nextStep() < 3) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.sleep(1);
      }
      stream.lifecycle().report(start, 0, new Watermark(1, 3));
      writing.get(SECONDS_MAX, TimeUnit.SECONDS);
      assertThat(stream.view().summary().nextStep()).isEqualTo(4);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aProducerThatIsFencedDoesNotWait() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Streams.producer(stream, "p").close();
      Producer first = Streams.producer(stream, "p");
      LagGate gate = gate(stream, 1, NONE);
      Streams.producer(stream, "p").close();
      assertThatExceptionOfType(ProducerFenced.class).isThrownBy(() -> gate.isOpen(0));
      first.close();
    }
  }

  @Test
  void aGateWhoseHeadDiedFindsTheNewOne() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = Streams.producer(stream, "p")) {
      LagGate gate = gate(stream, 10, NONE);
      assertThat(gate.isOpen(0)).isTrue();
      Generation start = stream.lifecycle().start("train", 1, 0);
      for (int i = 0; i < 30; i++) {
        write(producer, i, i + 1);
      }
      stream.lifecycle().report(start, 0, new Watermark(30, 30));
      var unused = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT.keeping(1));
      assertThat(gate.isOpen(39)).isTrue();
      assertThat(gate.isOpen(40)).isFalse();
    }
  }

  @Test
  void aWriteWaitsForACheckpoint() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Namespace stream = Streams.create(store);
        Producer producer =
            stream.producer(
                "p",
                Streams.EAGER.withLimits(new LagLimits(3, NONE)),
                PublicationListener.none())) {
      Generation start = stream.lifecycle().start("train", 1, 0);
      Future<?> writing =
          threads.submit(
              () -> {
                write(producer, 0, 5);
                return null;
              });
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
      while (producer.waitsFor().isEmpty() || stream.view().summary().nextStep() < 3) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.sleep(1);
      }
      assertThat(writing).isNotDone();
      assertThat(producer.metrics().tgbsWritten()).isEqualTo(3);
      stream.lifecycle().report(start, 0, new Watermark(2, 3));
      writing.get(SECONDS_MAX, TimeUnit.SECONDS);
      assertThat(stream.view().summary().nextStep()).isEqualTo(5);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Asks until the pauses come to more than {@code seconds}, which nobody waits. */
  private static void ask(LagGate gate, long seq, int seconds) throws IOException {
    long pausedNanos = 0;
    while (pausedNanos <= TimeUnit.SECONDS.toNanos(seconds)) {
      assertThat(gate.isOpen(seq)).isFalse();
      pausedNanos += gate.nextPauseNanos();
    }
    assertThat(gate.isOpen(seq)).isFalse();
  }

  @Test
  void aShortWaitIsNotLoggedAndALongOneOnce() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = Streams.producer(stream, "p");
        LogRecords logged = new LogRecords(LagGate.class)) {
      LagGate gate = gate(stream, 10, NONE);
      Generation start = stream.lifecycle().start("train", 1, 0);
      write(producer, 0, 10);
      ask(gate, 10, 5);
      assertThat(logged.lines()).isEmpty();
      stream.lifecycle().report(start, 0, new Watermark(1, 1));
      assertThat(gate.isOpen(10)).isTrue();
      ask(gate, 11, 5);
      assertThat(logged.lines()).as("another wait").isEmpty();
      ask(gate, 11, 30);
      assertThat(logged.lines())
          .containsExactly(
              "INFO producer 'p' waits (LagLimits[lagMax=10, leadMax=%d]): ".formatted(NONE)
                  + "rank 0 of start 1 of group train holds step 1, 10 steps behind");
    }
  }

  @Test
  void aWaitForACheckpointThatCannotComeIsWarnedOfOnceItLasts() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = Streams.producer(stream, "p");
        LogRecords logged = new LogRecords(LagGate.class)) {
      LagGate gate = gate(stream, 10, NONE);
      Generation start = stream.lifecycle().start("train", 1, 0);
      write(producer, 0, 10);
      ask(gate, 10, 30);
      assertThat(logged.lines()).hasSize(1).allMatch(line -> line.startsWith("INFO"));
      stream.lifecycle().report(start, 0, new Watermark(0, 10));
      ask(gate, 10, 5);
      assertThat(logged.lines()).as("the checkpoint may be on its way").hasSize(1);
      ask(gate, 10, 30);
      assertThat(logged.lines()).hasSize(2);
      assertThat(logged.lines().get(1)).startsWith("WARNING").contains("this never ends");
    }
  }

  @Test
  void aLimitIsAtLeastAStep() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new LagLimits(0, 1))
        .withMessageContaining("lagMax cannot be 0");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new LagLimits(1, -1))
        .withMessageContaining("leadMax cannot be -1");
  }
}
