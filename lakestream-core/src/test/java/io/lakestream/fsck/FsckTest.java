// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.format.Boundary;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.model.CheckReport;
import io.lakestream.model.CheckReport.Depth;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.model.CheckReport.Note;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.runtime.Environment;
import io.lakestream.store.FileStore;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.ListPage;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sound streams pass; missing and damaged objects are named. */
final class FsckTest {
  private final MemoryStore store = new MemoryStore();
  private final CheckedStream stream = new CheckedStream(store);

  @AfterEach
  void close() {
    stream.close();
  }

  @Test
  void aSoundStreamWithSegmentsAndAnIndexPasses() throws Exception {
    CheckReport report = stream.write("p", 300).write("q", 4_200).seal().assertSound();
    assertThat(report.notes()).isEmpty();
    assertThat(report.steps()).isEqualTo(4_500);
    assertThat(report.versions()).isEqualTo(report.version());
    assertThat(report.objects()).isGreaterThan(4_500);
    assertThat(stream.keys("segment/")).anyMatch(key -> key.contains("-00000000000000004095-"));
  }

  @Test
  void anEmptyNamespacePasses() throws Exception {
    CheckReport report = stream.assertSound();
    assertThat(report.version()).isZero();
    assertThat(report.notes()).isEmpty();
  }

  @Test
  void partsBundlesAndProvenanceBesideBatchesPass() throws Exception {
    try (Producer producer = stream.open("p")) {
      producer.write(CheckedStream.batch("x".repeat(3_000), Optional.empty()), "parts");
      ByteBuffer provenance = ByteBuffer.allocate(100_000);
      producer.write(CheckedStream.batch("y", Optional.of(provenance)), "sidecar");
    }
    try (Producer producer = stream.namespace.producer("bundles")) {
      stream.write(producer, 400);
    }
    assertThat(stream.assertSound().notes()).isEmpty();
    assertThat(stream.keys("data/")).anyMatch(key -> key.contains(".part00001."));
    assertThat(stream.keys("data/")).anyMatch(key -> key.endsWith(".provenance"));
  }

  @Test
  void retiredProducersInArchiveRunsAreKnown() throws Exception {
    for (int i = 0; i < 70; i++) {
      stream.write("p" + i, 1);
    }
    assertThat(stream.keys("archive/")).isNotEmpty();
    assertThat(stream.assertSound().notes()).isEmpty();
    String run = stream.keys("archive/").get(0);
    stream.flip(run, 100);
    stream.assertFoundOnlyAbout(run);
    stream.delete(run);
    stream.assertFound(Invariant.I5, run, "missing");
  }

  @Test
  void aMissingVersionIsAGap() throws Exception {
    stream.write("p", 20);
    stream.delete(Names.manifest(3));
    stream.assertFoundOnlyAbout(Names.manifest(3));
    stream.delete(Names.manifest(4));
    stream.assertFound(Invariant.I1, Names.manifest(3), "all up to version 4 are missing");
  }

  @Test
  void aMissingFirstVersionIsAGapToo() throws Exception {
    stream.write("p", 20);
    stream.delete(Names.manifest(1));
    stream.assertFoundOnlyAbout(Names.manifest(1));
  }

  @Test
  void aMissingHeadIsKnownByTheHint() throws Exception {
    stream.write("p", 20).seal();
    long newest = stream.head().version();
    stream.delete(Names.manifest(newest));
    stream.assertFound(Invariant.I1, Names.manifest(newest), "hint");
  }

  @Test
  void aDamagedVersionIsNamedAndTheOthersAreChecked() throws Exception {
    stream.write("p", 20);
    long newest = stream.head().version();
    for (long version : List.of(2L, newest)) {
      byte[] bytes = stream.bytes(Names.manifest(version));
      for (int position = 0; position < bytes.length; position += 7) {
        stream.flip(Names.manifest(version), position);
        stream.assertFoundOnlyAbout(Names.manifest(version));
        stream.put(Names.manifest(version), bytes);
      }
    }
    stream.assertSound();
  }

  @Test
  void aVersionOfAnotherNamespaceIsNamed() throws Exception {
    stream.write("p", 20);
    try (CheckedStream other = new CheckedStream(new MemoryStore())) {
      other.write("p", 20);
      stream.put(Names.manifest(5), other.bytes(Names.manifest(5)));
    }
    stream.assertFound(Invariant.I1, Names.manifest(5), "namespace");
  }

  @Test
  void aStreamWithoutAReadableVersionIsNamed() throws Exception {
    stream.write("p", 2);
    for (String key : stream.keys("manifest/")) {
      stream.put(key, new byte[10]);
    }
    CheckReport report = stream.check();
    assertThat(report.problems()).hasSize(stream.keys("manifest/").size() - 1);
    assertThat(report.notes()).extracting(Note::what).anyMatch(what -> what.contains("no live"));
  }

  @Test
  void aDamagedHintIsANote() throws Exception {
    stream.write("p", 3);
    stream.put(Names.HINT, new byte[3]);
    CheckReport report = stream.assertSound();
    assertThat(report.notes()).extracting(Note::examples).containsExactly(List.of(Names.HINT));
  }

  @Test
  void theBoundaryChainIsCheckedLinkByLink() throws Exception {
    stream.write("p", 20);
    stream.reclaimTo(2);
    stream.reclaimTo(5);
    stream.reclaimTo(9);
    stream.assertSound();
    byte[] second = stream.bytes(Names.boundary(2));
    stream.delete(Names.boundary(2));
    stream.assertFound(Invariant.I1, Names.boundary(2), "missing");
    stream.put(Names.boundary(2), second);
    stream.flip(Names.boundary(2), second.length - 1);
    stream.assertFoundOnlyAbout(Names.boundary(2));
    stream.put(new Boundary(2, 12));
    stream.assertFound(Invariant.I9, Names.boundary(3), "lower");
  }

  @Test
  void aLostBoundaryIsKnownByVersionsThatWereCommittedUnderIt() throws Exception {
    stream.write("p", 10);
    stream.reclaimTo(2);
    stream.write("p", 3);
    long newest = stream.head().version();
    assertThat(stream.head().header().boundary()).isEqualTo(new Boundary(1, 2));
    stream.delete(Names.boundary(1));
    stream.assertFound(Invariant.I9, Names.manifest(newest), "boundary 1");
    stream.put(new Boundary(1, 1));
    stream.assertFound(Invariant.I9, Names.manifest(newest), "boundary 1");
  }

  @Test
  void aBoundaryWithNothingAboveItIsALoss() throws Exception {
    stream.write("p", 3);
    long newest = stream.head().version();
    stream.reclaimTo(newest);
    stream.assertFound(Invariant.I1, Names.manifest(newest + 1), "never deleted");
  }

  @Test
  void deadVersionsThatAreStillThereAreANote() throws Exception {
    stream.write("p", 10);
    stream.put(new Boundary(1, 4));
    CheckReport report = stream.assertSound();
    assertThat(report.notes()).extracting(Note::what).allMatch(what -> what.startsWith("4 "));
    stream.flip(Names.manifest(3), 40);
    stream.assertSound();
  }

  @Test
  void batchesThatAreMissingOrCutAreNamedWithTheirSteps() throws Exception {
    stream.write("p", 300);
    String first = stream.log.store().list("data/", Optional.empty()).entries().get(0).key();
    byte[] bytes = stream.bytes(first);
    stream.delete(first);
    stream.assertFound(Invariant.I5, first, "is missing", "step");
    stream.put(first, Arrays.copyOf(bytes, bytes.length - 1));
    stream.assertFound(Invariant.I5, first, "has %d bytes".formatted(bytes.length - 1));
    assertThat(stream.check().problems()).hasSize(1);
    assertThat(stream.checkEveryByte().problems()).hasSize(1);
    stream.put(first, bytes);
    stream.assertSound();
  }

  private void deleteQuietly(String key) {
    try {
      stream.delete(key);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void segmentsAndNodesThatAreMissingDamagedOrMixedUpAreNamed() throws Exception {
    stream.write("p", 4_500).seal();
    List<String> keys = new ArrayList<>(stream.keys("segment/"));
    String node =
        keys.stream().filter(key -> key.contains("-00000000000000004095-")).findAny().get();
    for (String key : List.of(keys.get(1), keys.get(keys.size() - 1), node)) {
      byte[] bytes = stream.bytes(key);
      stream.flip(key, bytes.length / 2);
      stream.assertFoundOnlyAbout(key);
      stream.put(key, stream.bytes(keys.get(3)));
      stream.assertFoundOnlyAbout(key);
      stream.delete(key);
      stream.assertFound(Invariant.I5, key, "missing");
      assertThat(stream.check().problems()).hasSize(1);
      stream.put(key, bytes);
    }
    stream.assertSound();
  }

  @Test
  void whatNothingRefersToIsANote() throws Exception {
    stream.write("p", 5);
    stream.put(Names.data("p", 1, 99, 7), new byte[10]);
    stream.put("segment/left", new byte[10]);
    stream.put("archive/left", new byte[10]);
    stream.put("probe/1/left", new byte[10]);
    String number = "manifest/" + "9".repeat(20) + ".manifest";
    stream.put(number, new byte[10]);
    stream.put("manifest/other", new byte[10]);
    CheckReport report = stream.assertSound();
    assertThat(report.notes())
        .extracting(Note::examples)
        .containsExactly(
            List.of(number, "manifest/other"),
            List.of(Names.data("p", 1, 99, 7)),
            List.of("segment/left"),
            List.of("archive/left"),
            List.of("probe/1/left"));
  }

  @Test
  void everyByteOfABatchIsReadOnRequestOnly() throws Exception {
    stream.write("p", 3);
    for (String key : stream.keys("data/")) {
      byte[] bytes = stream.bytes(key);
      for (int position = 0; position < bytes.length; position++) {
        if (position >= 28 && position < 32) {
          continue; // Readers ignore the last four bytes of the header.
        }
        stream.flip(key, position);
        assertThat(stream.check().problems()).isEmpty();
        CheckedStream.assertFound(stream.checkEveryByte(), Invariant.I5, key);
        stream.put(key, bytes);
      }
    }
  }

  @Test
  void provenanceBesideABatchIsReadOnRequest() throws Exception {
    try (Producer producer = stream.open("p")) {
      ByteBuffer provenance = ByteBuffer.allocate(100_000);
      producer.write(CheckedStream.batch("y", Optional.of(provenance)), "sidecar");
    }
    String sidecar =
        stream.keys("data/").stream().filter(key -> key.endsWith("provenance")).findAny().get();
    stream.flip(sidecar, 70_000);
    assertThat(stream.check().problems()).isEmpty();
    assertThat(stream.checkEveryByte().problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.what()).contains(sidecar));
    stream.delete(sidecar);
    assertThat(stream.checkEveryByte().problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.what()).contains(sidecar, "missing"));
  }

  @Test
  void onlySoManyProblemsAreListedAndTheRestIsCounted() throws Exception {
    stream.write("p", 1_100);
    stream.keys("data/").forEach(this::deleteQuietly);
    CheckReport report = stream.check();
    assertThat(report.problems()).hasSize(Findings.PROBLEMS_MAX);
    assertThat(report.moreProblems()).isEqualTo(100);
  }

  @Test
  void aFileThatCannotBeReadIsAProblemAndTheRestIsChecked(@TempDir Path folder) throws Exception {
    try (CheckedStream files =
        new CheckedStream(
            FileStore.open(folder, FileStore.Durability.NONE, Environment.system()))) {
      files.write("p", 5);
      files.assertSound();
      files.delete(Names.manifest(3));
      Path unused = Files.createDirectory(folder.resolve(Names.manifest(3)));
      files.assertFound(Invariant.I1, Names.manifest(3));
    }
  }

  @Test
  void aStoreThatFailsIsNoFinding() throws Exception {
    stream.write("p", 5);
    store.close();
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(stream::check)
        .withMessageContaining("could not be checked");
  }

  @Test
  void aListingThatNeverEndsIsAStoreThatFails() throws Exception {
    ObjectStore endless =
        new ForwardingStore(store) {
          @Override
          public ListPage list(String prefix, Optional<String> page) {
            return new ListPage(List.of(), Optional.of("more"));
          }
        };
    try (Namespace same = Lakestream.open(endless, "memory:///checked", Environment.system())) {
      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(() -> same.check(Depth.METADATA, CheckReport.Listener.none()))
          .withMessageContaining("did not end");
    }
  }

  @Test
  void anInterruptEndsTheCheck() throws Exception {
    stream.write("p", 5);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(stream::check);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void theListenerIsToldHowFarItIs() throws Exception {
    stream.write("p", 5);
    List<String> told = new ArrayList<>();
    CheckReport report =
        stream.namespace.check(Depth.METADATA, (part, d, all) -> told.add(part + d + "/" + all));
    assertThat(told).contains("steps1/5", "steps5/5", "versions1/" + report.version());
  }

  @Test
  void aProducerAndReclamationAtWorkMakeNoProblem() throws Exception {
    Busy busy = new Busy();
    try (CheckedStream live = new CheckedStream(busy);
        Producer producer = live.open("p")) {
      live.write(producer, 100);
      busy.work =
          () -> {
            live.write(producer, 1);
            if (busy.rounds % 20 == 0) {
              live.reclaimTo(live.head().version() - 1);
            }
          };
      for (int i = 0; i < 3; i++) {
        assertThat(live.checkEveryByte().problems()).isEmpty();
      }
      assertThat(busy.rounds).isGreaterThan(50);
      busy.work = () -> {};
      live.assertSound();
    }
  }

  @Test
  void stepsThatAreTrimmedMeanwhileAreNotMissed() throws Exception {
    Busy busy = new Busy();
    try (CheckedStream live = new CheckedStream(busy)) {
      live.write("p", 20);
      Manifest head = live.head();
      ManifestHeader trimmed = CheckedStream.extent(CheckedStream.header(head, 0), 5, 0, false);
      busy.work =
          () -> {
            live.put(head.withHeader(trimmed));
            for (Descriptor descriptor : live.tail(head).subList(0, 5)) {
              live.delete(descriptor.objectKeys().get(0));
            }
          };
      CheckReport report = live.check();
      assertThat(busy.rounds).isPositive();
      assertThat(report.version()).isEqualTo(head.version());
      assertThat(report.problems()).isEmpty();
      live.delete(live.tail(head).get(5).objectKeys().get(0));
      assertThat(live.check().problems()).hasSize(1);
    }
  }

  /** What others do while the check runs. */
  private interface Work {
    void run() throws Exception;
  }

  /** A store in which others are at work before every ninth read or listing of a check. */
  private static final class Busy extends ForwardingStore {
    private Work work = () -> {};
    private final Thread checker = Thread.currentThread();
    private boolean isAtWork;
    private int calls;
    private int rounds;

    Busy() {
      super(new MemoryStore());
    }

    @Override
    protected void begin(Operation operation, String key) throws IOException {
      boolean isOfCheck = Thread.currentThread() == checker;
      if (!isOfCheck || isAtWork || ++calls % 9 != 0) {
        return;
      }
      isAtWork = true;
      try {
        work.run();
        rounds++;
      } catch (Exception e) {
        throw new AssertionError(e);
      } finally {
        isAtWork = false;
      }
    }
  }
}
