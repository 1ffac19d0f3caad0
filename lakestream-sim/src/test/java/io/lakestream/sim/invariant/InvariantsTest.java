// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.Boundary;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.GroupNames;
import io.lakestream.format.GroupNames.Report;
import io.lakestream.format.Id128;
import io.lakestream.format.ImageLocation;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.SliceIndex;
import io.lakestream.format.StreamTables;
import io.lakestream.format.StreamTables.SkipRange;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Watermark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each invariant lets a right history pass and says what is wrong with a wrong one. */
final class InvariantsTest {
  private static Descriptor descriptor(String producer, long epoch, long seq) {
    return new Descriptor(
        producer,
        epoch,
        seq,
        "",
        1,
        new ImageLocation(7, seq, 0, 1_000, 0, 100, 5),
        SliceIndex.of(List.of(100L)),
        CpLayout.CONTIGUOUS,
        1,
        UnknownFieldSet.getDefaultInstance());
  }

  private static CreatedVersion version(long number, long firstStep, List<Descriptor> tail) {
    return version(number, firstStep, tail, 1_000, false);
  }

  private static CreatedVersion version(
      long number, long firstStep, List<Descriptor> tail, long bytes, boolean isDead) {
    ManifestHeader header =
        new ManifestHeader(
            number,
            new Id128(1, number),
            CommitKind.PUBLISH,
            "p",
            1,
            firstStep,
            tail.size(),
            0,
            0,
            Boundary.NONE,
            false,
            Optional.empty(),
            UnknownFieldSet.getDefaultInstance());
    Manifest manifest =
        new Manifest(
            header,
            Manifest.empty().chunksWith(tail),
            Manifest.empty().tree(),
            Manifest.empty().producers(),
            Manifest.empty().tables(),
            Manifest.empty().unknown());
    return new CreatedVersion(manifest, tail, bytes, isDead);
  }

  private static List<Descriptor> batches(int count) {
    List<Descriptor> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(descriptor("p", 1, i));
    }
    return batches;
  }

  private static void assertViolation(String what, Runnable event) {
    assertThatExceptionOfType(Violation.class).isThrownBy(event::run).withMessageContaining(what);
  }

  @Test
  void versionsWithoutAGapPassAndAGapDoesNot() {
    ContiguousVersions versions = new ContiguousVersions();
    versions.versionCreated(version(1, 0, batches(1)));
    versions.versionCreated(version(2, 0, batches(2)));
    assertViolation("I1: version 4", () -> versions.versionCreated(version(4, 0, batches(3))));
    assertViolation("I1: version 1", () -> versions.objectDeleted(Names.manifest(1)));
    versions.boundaryCreated(new Boundary(1, 1));
    versions.objectDeleted(Names.manifest(1));
    versions.versionCreated(version(1, 0, batches(2), 1_000, true));
    versions.versionCreated(version(3, 0, batches(3)));
  }

  @Test
  void anAcknowledgedBatchIsInOneStep() {
    OnceAcknowledged once = new OnceAcknowledged();
    once.versionCreated(version(1, 0, batches(2)));
    once.acknowledged("p", 1);
    assertViolation("I2: batch 2 of p", () -> once.acknowledged("p", 2));
    List<Descriptor> twice = batches(2);
    twice.add(descriptor("p", 1, 0));
    assertViolation("is in step 0 and in step 2", () -> once.versionCreated(version(2, 0, twice)));
  }

  @Test
  void aBatchInADeadVersionIsInNoStep() {
    OnceAcknowledged once = new OnceAcknowledged();
    once.versionCreated(version(1, 0, batches(1), 1_000, true));
    assertViolation("I2", () -> once.acknowledged("p", 0));
  }

  @Test
  void batchesOfAProducerAreContiguousAndItsEpochsRise() {
    ProducerOrder order = new ProducerOrder();
    order.versionCreated(version(1, 0, batches(2)));
    List<Descriptor> gap = batches(2);
    gap.add(descriptor("p", 1, 3));
    assertViolation("I3: step 2 has batch 3", () -> order.versionCreated(version(2, 0, gap)));
    ProducerOrder epochs = new ProducerOrder();
    List<Descriptor> falling = new ArrayList<>(List.of(descriptor("p", 5, 0)));
    falling.add(descriptor("p", 4, 1));
    assertViolation("after epoch 5", () -> epochs.versionCreated(version(1, 0, falling)));
  }

  @Test
  void aStepNeverBecomesAnother() {
    History history = new History();
    history.versionCreated(version(1, 0, batches(2)));
    assertThat(history.size()).isEqualTo(2);
    assertThat(history.at(1)).contains(descriptor("p", 1, 1));
    assertThat(history.at(2)).isEmpty();
    List<Descriptor> other = batches(1);
    other.add(descriptor("q", 1, 0));
    assertViolation("I4: step 1 is another", () -> history.versionCreated(version(2, 0, other)));
    assertViolation("I4: version 2 has 1", () -> history.versionCreated(version(2, 0, batches(1))));
    history.versionCreated(version(1, 0, other, 1_000, true));
  }

  /** With one more descriptor than a manifest takes. */
  private static CreatedVersion longer(CreatedVersion version) {
    List<Descriptor> tail = new ArrayList<>(version.tail());
    tail.add(tail.get(0));
    return new CreatedVersion(version.manifest(), tail, version.bytes(), version.isDead());
  }

  @Test
  void aHeadBeyondItsBoundIsFound() {
    BoundedHead bound = new BoundedHead();
    long max = FormatLimits.MANIFEST_BYTES_MAX;
    bound.versionCreated(version(1, 0, batches(1), max, false));
    assertViolation(
        "I6: version 2", () -> bound.versionCreated(version(2, 0, batches(1), max + 1, false)));
    bound.versionCreated(version(3, 0, batches(FormatLimits.TAIL_STEPS_MAX)));
    assertViolation(
        "I6: version 4",
        () -> bound.versionCreated(longer(version(4, 0, batches(FormatLimits.TAIL_STEPS_MAX)))));
  }

  @Test
  void neitherBoundaryNorFirstStepFalls() {
    NeverFalling falling = new NeverFalling();
    falling.versionCreated(version(1, 1, batches(2)));
    assertViolation(
        "I9: the first step fell from 1 to 0",
        () -> falling.versionCreated(version(2, 0, batches(2))));
    falling.boundaryCreated(new Boundary(1, 5));
    assertViolation("I9: boundary", () -> falling.boundaryCreated(new Boundary(2, 4)));
    assertViolation("I9: boundary", () -> falling.boundaryCreated(new Boundary(3, 9)));
  }

  private static CreatedVersion skipping(long number, long firstStep, SkipRange... ranges) {
    CreatedVersion plain = version(number, firstStep, batches(9));
    StreamTables tables = StreamTables.EMPTY;
    for (SkipRange range : ranges) {
      tables = tables.withSkip(range);
    }
    return new CreatedVersion(plain.manifest().withTables(tables), plain.tail(), 1_000, false);
  }

  @Test
  void whatIsSkippedStaysSoUntilItIsTrimmed() {
    Skips skips = new Skips();
    SkipRange early = new SkipRange(1, 2, "bad", 2);
    SkipRange late = new SkipRange(5, 6, "bad", 3);
    skips.versionCreated(skipping(1, 0));
    skips.versionCreated(skipping(2, 0, early));
    skips.versionCreated(skipping(3, 0, early, late));
    assertThat(List.of(skips.past(1, 1), skips.past(2, 1), skips.past(2, 5), skips.past(9, 5)))
        .containsExactly(1L, 3L, 5L, 7L);
    skips.recorded(5, 7);
    assertViolation("I8: step 7 is not skipped", () -> skips.recorded(5, 8));
    assertViolation(
        "I8: step 2 is not skipped any more by version 4",
        () -> skips.versionCreated(skipping(4, 2, late)));
    skips.versionCreated(skipping(4, 3, late));
    skips.recorded(1, 3);
  }

  @Test
  void aPromiseIsKeptUntilItIsTakenBack() {
    KeptPromises promises = new KeptPromises();
    promises.promised("a", 2);
    promises.promised("b", 1);
    assertViolation(
        "promise: step 1 was promised (b)",
        () -> promises.versionCreated(version(1, 2, batches(3))));
    promises.released("b");
    promises.versionCreated(version(2, 2, batches(3)));
    promises.versionCreated(version(3, 3, batches(3), 1_000, true));
    assertViolation("promise: step 1", () -> promises.promised("c", 1));
  }

  private static List<String> objects(int count) {
    return batches(count).stream().flatMap(batch -> batch.objectKeys().stream()).toList();
  }

  @Test
  void whatIsReferencedExists() {
    ReferencedExists exists = new ReferencedExists();
    List<String> objects = objects(3);
    objects.subList(0, 2).forEach(exists::objectPut);
    exists.versionCreated(version(1, 0, batches(2)));
    assertViolation(
        "I5: version 2 refers to", () -> exists.versionCreated(version(2, 0, batches(3))));
    exists.objectPut(objects.get(2));
    exists.versionCreated(version(3, 1, batches(3)));
    exists.objectDeleted(objects.get(0));
    assertViolation("was deleted", () -> exists.objectDeleted(objects.get(1)));
  }

  @Test
  void nothingIsLeftAndNothingIsMissing() {
    NothingLeft left = new NothingLeft();
    String pin = Names.pin(1, 7);
    Report report = new Report(0, 1, new Watermark(1, 1));
    List<String> due =
        List.of(
            Names.NAMESPACE,
            Names.HINT,
            Names.boundary(1),
            Names.manifest(2),
            pin,
            GroupNames.generation("g", 2),
            GroupNames.report("g", 2, report));
    due.forEach(left::objectPut);
    left.objectPut(objects(2).get(1));
    left.promised(pin, 1);
    left.promised("rank 0 of g", 1);
    left.boundaryCreated(new Boundary(1, 1));
    left.versionCreated(version(2, 1, batches(2)));
    left.settled();
    List<String> notDue =
        List.of(
            objects(1).get(0),
            Names.manifest(1),
            Names.pin(1, 8),
            GroupNames.generation("g", 1),
            "unknown");
    for (String key : notDue) {
      left.objectPut(key);
      assertViolation("I7: " + key + " is left", left::settled);
      left.objectDeleted(key);
    }
    left.objectDeleted(objects(2).get(1));
    assertViolation("is gone", left::settled);
    left.objectPut(objects(2).get(1));
    left.released(pin);
    assertViolation("I7: " + pin + " is left", left::settled);
  }
}
