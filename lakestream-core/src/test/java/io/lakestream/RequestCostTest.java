// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.Streams.EAGER;
import static io.lakestream.Streams.FIRST;
import static io.lakestream.Streams.batch;
import static io.lakestream.Streams.producer;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.format.Boundary;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Names;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.Cursor;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.SealMode;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.UnreliableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The price list: which requests each operation makes, all of them and no others. */
final class RequestCostTest {
  private final UnreliableStore store = new UnreliableStore();

  /** The calls since the last time, the random parts of keys cut off. */
  private List<String> calls() {
    List<String> calls = new ArrayList<>();
    for (String call : store.takeCalls()) {
      calls.add(call.contains(" data/") ? call.substring(0, call.indexOf(" data/") + 5) : call);
    }
    return calls;
  }

  @Test
  void openingANamespaceIsOneRead() {
    Streams.create(store).close();
    UnreliableStore fresh = new UnreliableStore();
    try (Namespace stream = Streams.create(fresh)) {
      fresh.takeCalls();
      assertThat(Lakestream.open(fresh, stream.place(), Environment.system()).uuid())
          .isEqualTo(stream.uuid());
      assertThat(fresh.takeCalls()).containsExactly("read namespace.json");
    }
  }

  @Test
  void openingAProducerOfANewStreamLooksForTheHeadAndCommits() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      calls();
      try (Producer producer = producer(stream, "p")) {
        assertThat(calls())
            .containsExactly(
                "read manifest/_hint",
                "read " + Names.boundary(1),
                "read " + Names.manifest(1),
                "read " + Names.boundary(1),
                "read " + Names.manifest(1),
                "putIfAbsent " + Names.manifest(1),
                "read " + Names.boundary(1),
                "put manifest/_hint");
        assertThat(producer.epoch()).isEqualTo(1);
      }
    }
  }

  @Test
  void aLoneProducerPublishesWithOneUploadOnePutAndOneLookAtTheBoundary() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      for (int i = 0; i < 3; i++) {
        calls();
        producer.write(batch("p", i), "");
        producer.flush();
        assertThat(calls())
            .containsExactly(
                "put data", "putIfAbsent " + Names.manifest(2 + i), "read " + Names.boundary(1));
      }
    }
  }

  @Test
  void aProducerAmongOthersLooksForANewerHeadFirst() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer other = producer(stream, "other");
        Producer producer = producer(stream, "p")) {
      assertThat(other.epoch()).isEqualTo(1);
      calls();
      producer.write(batch("p", 0), "");
      producer.flush();
      assertThat(calls())
          .containsExactly(
              "put data",
              "read " + Names.manifest(3),
              "putIfAbsent " + Names.manifest(3),
              "read " + Names.boundary(1));
    }
  }

  @Test
  void manyWaitingBatchesShareUploadsAndCommits() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer =
            stream.producer(
                "p", EAGER.withUploads(1, 256 << 20, 1 << 20), PublicationListener.none())) {
      calls();
      CountDownLatch isWritten = new CountDownLatch(1);
      store.holdPuts(isWritten);
      for (int i = 0; i < 500; i++) {
        producer.write(batch("p", i), "");
      }
      isWritten.countDown();
      producer.flush();
      List<String> calls = calls();
      assertThat(calls.stream().filter("put data"::equals)).hasSizeBetween(1, 2);
      assertThat(calls.stream().filter(call -> call.startsWith("putIfAbsent manifest")))
          .hasSizeBetween(1, 3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aColdOpeningWithARecentHintTakesSixRequestsAtMost(int staleBy) throws Exception {
    try (Namespace stream = Streams.create(store)) {
      ManifestLog log = new ManifestLog(store, stream.uuid());
      try (Producer producer = producer(stream, "p")) {
        for (int i = 0; i < 20; i++) {
          producer.write(batch("p", i), "");
          producer.flush();
          if (i == 19 - staleBy) {
            log.leaveHint(log.heads().find(0));
          }
        }
        calls();
        assertThat(Lakestream.open(store, stream.place(), Environment.system()).mesh())
            .isEqualTo(stream.mesh());
        assertThat(log.heads().find(0).version()).isEqualTo(21);
        assertThat(calls()).hasSizeLessThanOrEqualTo(6);
      }
    }
  }

  @Test
  void aColdOpeningWithAnOldHintTakesTwoMoreForEachDoublingOfTheLag() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      ManifestLog log = new ManifestLog(store, stream.uuid());
      log.leaveHint(log.heads().find(0));
      for (int i = 0; i < 1_000; i++) {
        producer.write(batch("p", i), "");
        if (i % 2 == 0) {
          producer.flush();
        }
      }
      producer.flush();
      long head = log.heads().find(0).version();
      log.leaveHint(log.heads().find(0));
      for (int lag : List.of(10, 100, 400)) {
        log.leaveHint(new CheckedHead<>(log.read(head - lag).orElseThrow(), Boundary.NONE));
        calls();
        assertThat(log.heads().find(0).version()).isEqualTo(head);
        double allowed = 5 + 2 * Math.log(lag) / Math.log(2);
        assertThat(calls()).hasSizeLessThanOrEqualTo((int) allowed);
      }
    }
  }

  @Test
  void aPollWithoutNewsIsOneRequestAndOneWithNewsIsTwo() throws Exception {
    try (Namespace stream = Streams.create(store);
        Producer producer = producer(stream, "p")) {
      StepLocator locator = StepLocator.open(new ManifestLog(store, stream.uuid()), 0);
      calls();
      assertThat(locator.poll()).isFalse();
      assertThat(calls()).containsExactly("readRange " + Names.manifest(2));
      producer.write(batch("p", 0), "");
      producer.flush();
      calls();
      locator.caughtUp();
      assertThat(locator.poll()).isTrue();
      assertThat(locator.descriptor(0).seq()).isZero();
      assertThat(calls())
          .containsExactly("readRange " + Names.manifest(2), "read " + Names.boundary(1));
    }
  }

  @Test
  void aFinishedStreamIsReadWithOneRangeAStepAndOneReadASegment() throws Exception {
    int steps = 1_000;
    try (Namespace stream = Streams.sealed(store, steps)) {
      calls();
      ConsumerSettings settings = ConsumerSettings.DEFAULT.withPrefetch(4, 1 << 20, 1);
      try (Consumer consumer = stream.consumer(FIRST, Cursor.start(stream.uuid()), settings)) {
        for (int i = 0; i < steps; i++) {
          assertThat(consumer.next()).isPresent();
        }
        assertThat(consumer.next()).isEmpty();
      }
      List<String> calls = calls();
      assertThat(calls.stream().filter("readRange data"::equals)).hasSize(steps);
      long segments = calls.stream().filter(call -> call.startsWith("read segment/")).count();
      assertThat(segments).isBetween(1L, steps / 128L);
      assertThat(calls.size() - steps - segments).as("all else").isLessThanOrEqualTo(10);
    }
  }

  @Test
  void resumingLooksUpNoMoreStepsThanItFetches() throws Exception {
    try (Namespace stream = Streams.sealed(store, 1_000)) {
      List<String> calls = new ArrayList<>();
      calls();
      ConsumerSettings settings = ConsumerSettings.DEFAULT.withPrefetch(1, 1 << 20, 1);
      Cursor lastOfASegment = new Cursor(stream.uuid(), 0, FormatLimits.SEGMENT_STEPS - 1, 0);
      Consumer consumer = stream.consumer(FIRST, lastOfASegment, settings);
      while (!calls.contains("readRange data")) {
        calls.addAll(calls());
        Thread.onSpinWait();
      }
      consumer.close();
      calls.addAll(calls());
      assertThat(calls).hasSizeLessThanOrEqualTo(6 + 2);
      assertThat(calls.subList(calls.size() - 2, calls.size()))
          .as("what follows the search for the head")
          .map(call -> call.replaceFirst("-[0-9a-f]{32}$", ""))
          .containsExactly(
              "read segment/00000000000000000000-00000000000000000127", "readRange data");
    }
  }

  @Test
  void sealingAndRetiringAreACommitEach() throws Exception {
    try (Namespace stream = Streams.create(store)) {
      Producer producer = producer(stream, "p");
      calls();
      producer.seal(SealMode.WHEN_ALONE);
      assertThat(calls())
          .containsExactly(
              "putIfAbsent " + Names.manifest(2),
              "read " + Names.boundary(1),
              "putIfAbsent " + Names.manifest(3),
              "read " + Names.boundary(1),
              "put manifest/_hint");
    }
  }

  @Test
  void lookingAtAStreamFindsTheHeadOnce() throws Exception {
    try (Namespace stream = Streams.sealed(store, 300)) {
      calls();
      assertThat(stream.view().summary().nextStep()).isEqualTo(300);
      assertThat(calls()).hasSizeLessThanOrEqualTo(5);
    }
  }

  @Test
  void lookingAgainCostsTwoRequestsIfThereIsNothingNew() throws Exception {
    try (Namespace stream = Streams.sealed(store, 3)) {
      StreamView view = stream.view();
      long next = view.summary().version() + 1;
      calls();
      assertThat(view.refresh()).isFalse();
      assertThat(calls())
          .containsExactly("read " + Names.manifest(next), "read " + Names.boundary(1));
    }
  }
}
