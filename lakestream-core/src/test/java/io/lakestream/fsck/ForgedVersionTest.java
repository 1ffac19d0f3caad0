// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import static io.lakestream.fsck.CheckedStream.extent;
import static io.lakestream.fsck.CheckedStream.header;
import static io.lakestream.fsck.CheckedStream.published;
import static io.lakestream.fsck.CheckedStream.withTail;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.Chunk;
import io.lakestream.format.Descriptor;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree;
import io.lakestream.format.StreamTables;
import io.lakestream.format.StreamTables.SkipRange;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.store.Body;
import io.lakestream.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Versions whose checksums are right and whose content no writer would have written. */
final class ForgedVersionTest {
  private static final int STEPS = 20;

  private final CheckedStream stream = new CheckedStream(new MemoryStore());
  private Manifest head = Manifest.empty();
  private String holder = "";

  @AfterEach
  void close() {
    stream.close();
  }

  private void write() throws Exception {
    stream.write("p", STEPS);
    head = stream.head();
    holder = Names.manifest(head.version() + 1);
  }

  /** The descriptor of the last step. */
  private Descriptor last() {
    List<Descriptor> tail = stream.tail(head);
    return tail.get(tail.size() - 1);
  }

  private static ProducerEntry entry(Descriptor d, long epoch, long nextSeq, String offset) {
    return new ProducerEntry(
        d.producer(),
        epoch,
        nextSeq,
        Optional.of(offset),
        d.version(),
        new Id128(1, 1),
        UnknownFieldSet.getDefaultInstance());
  }

  @Test
  void theNextBatchIsNone() throws Exception {
    write();
    stream.put(published(head, List.of(stream.copy(last(), STEPS, last().epoch()))));
    assertThat(stream.check().problems()).isEmpty();
  }

  @Test
  void anObjectThatStepsShareIsReportedOnce() throws Exception {
    write();
    Descriptor second = stream.copy(last(), STEPS + 1, last().epoch());
    Descriptor first =
        new Descriptor(
            second.producer(),
            second.epoch(),
            STEPS,
            second.offset(),
            second.version(),
            second.image(),
            second.sliceIndex(),
            second.cpLayout(),
            second.schemaId(),
            second.extra());
    stream.put(published(head, List.of(first, second)));
    assertThat(stream.check().problems()).isEmpty();
    String shared = second.objectKeys().get(0);
    stream.delete(shared);
    stream.assertFound(Invariant.I5, shared, "steps from 20 to 21 refer");
    assertThat(stream.check().problems()).hasSize(1);
  }

  @Test
  void aGapInTheSeqsOfAProducer() throws Exception {
    write();
    stream.put(published(head, List.of(stream.copy(last(), STEPS + 1, last().epoch()))));
    stream.assertFound(Invariant.I3, holder, "batch 21", "batch 20 comes next");
  }

  @Test
  void aBatchInTwoSteps() throws Exception {
    write();
    stream.put(published(head, List.of(last())));
    stream.assertFound(Invariant.I2, holder, "batch 19", "step 19 already");
  }

  @Test
  void anEpochThatFalls() throws Exception {
    stream.write("p", STEPS).write("p", STEPS);
    head = stream.head();
    holder = Names.manifest(head.version() + 1);
    stream.put(published(head, List.of(stream.copy(last(), 2 * STEPS, 1))));
    stream.assertFound(Invariant.I3, holder, "epoch 1");
  }

  @Test
  void aProducerTableThatDisagreesWithTheSteps() throws Exception {
    write();
    ProducerTable table = head.producers();
    long epoch = last().epoch();
    Manifest next = head.withHeader(header(head, 0));
    stream.put(next.withProducers(table.withActive(entry(last(), epoch, STEPS + 2, "at 19"))));
    stream.assertFound(Invariant.I2, holder, "counts 22 batches");
    stream.put(next.withProducers(table.withActive(entry(last(), epoch, STEPS - 1, "at 19"))));
    stream.assertFound(Invariant.I2, holder, "counts 19 batches");
    stream.put(next.withProducers(table.withActive(entry(last(), epoch, STEPS, "at 7"))));
    stream.assertFound(Invariant.I2, holder, "offset 'at 7'");
    stream.put(next.withProducers(ProducerTable.EMPTY));
    stream.assertFound(Invariant.I2, holder, "does not know producer 'p'");
    stream.put(next.withProducers(table.withActive(entry(last(), 0, STEPS, "at 19"))));
    stream.assertFound(Invariant.I3, holder, "epoch 0");
  }

  @Test
  void aStepThatIsAnotherThanBefore() throws Exception {
    write();
    List<Descriptor> changed = new ArrayList<>(stream.tail(head));
    changed.set(3, changed.get(4));
    stream.put(withTail(head, changed).withHeader(header(head, 0)));
    stream.assertFound(Invariant.I4, holder, "step 3");
  }

  @Test
  void aVersionInTheMiddleThatItsNeighboursContradict() throws Exception {
    write();
    Manifest middle = stream.version(head.version() - 2);
    List<Descriptor> changed = new ArrayList<>(stream.tail(middle));
    changed.set(0, stream.copy(changed.get(0), 0, 0));
    stream.put(withTail(middle, changed));
    stream.assertFound(Invariant.I4, Names.manifest(middle.version()), "step 0");
  }

  @Test
  void extentsThatDoNotFollow() throws Exception {
    write();
    Manifest next = published(head, List.of(stream.copy(last(), STEPS, last().epoch())));
    stream.put(next.withHeader(extent(next.header(), 0, 2, false)));
    stream.assertFound(Invariant.I4, holder, "2 new ones");
    stream.put(next.withHeader(extent(next.header(), 5, 1, false)));
    stream.put(next.withHeader(extent(header(next, 0), 3, 0, false)));
    stream.assertFound(Invariant.I9, Names.manifest(head.version() + 2), "starts at step 3");
  }

  @Test
  void aSealedStreamThatGrowsOrOpensAgain() throws Exception {
    write();
    stream.seal();
    head = stream.head();
    holder = Names.manifest(head.version() + 1);
    stream.put(published(head, List.of(stream.copy(last(), STEPS, last().epoch()))));
    stream.assertFound(Invariant.I4, holder, "has more steps");
    stream.put(head.withHeader(extent(header(head, 0), 0, 0, false)));
    stream.assertFound(Invariant.I4, holder, "is not sealed");
  }

  @Test
  void anotherSegmentThanTheTailHad() throws Exception {
    stream.write("p", 700);
    head = stream.head();
    holder = Names.manifest(head.version() + 1);
    Segment forged = forgedSegment();
    List<ByteBuffer> bytes = forged.encode(stream.log.namespace());
    Id128 hash = Id128.hashOf(bytes);
    String key = Names.segment(0, 127, hash);
    stream.store.put(key, Body.of(bytes));
    SegmentTree.Level level = head.tree().levels().get(0);
    List<Id128> hashes = new ArrayList<>(level.hashes());
    hashes.set(0, hash);
    SegmentTree tree =
        new SegmentTree(
            List.of(new SegmentTree.Level(0, hashes)), UnknownFieldSet.getDefaultInstance());
    stream.put(head.withHeader(header(head, 0)).withTree(tree));
    stream.assertFound(Invariant.I4, holder, "refers to " + key);
    stream.assertFound(Invariant.I4, key, "other descriptors from step 0");
  }

  /** The first segment with two of its steps in the other order. */
  private Segment forgedSegment() throws IOException {
    SegmentTree.Reference reference = head.tree().locate(0).orElseThrow();
    Segment segment =
        Segment.decode(
            reference, stream.log.namespace(), stream.store.read(reference.key()).orElseThrow());
    DescriptorBlock block = segment.chunks().get(0).decode(reference.key());
    List<Descriptor> swapped = new ArrayList<>(block.descriptors());
    swapped.set(5, block.descriptors().get(6).publishedIn(block.descriptors().get(5).version()));
    return new Segment(List.of(Chunk.of(DescriptorBlock.of(0, swapped)), segment.chunks().get(1)));
  }

  private Manifest skipping(SkipRange... ranges) {
    StreamTables tables = head.tables();
    for (SkipRange range : ranges) {
      tables = tables.withSkip(range);
    }
    return head.withHeader(header(head, 0)).withTables(tables);
  }

  @Test
  void skipRangesOfStepsOrVersionsThatAreNotThere() throws Exception {
    write();
    assertThat(stream.namespace.skip(3, STEPS, "bad")).isPresent();
    head = stream.head();
    holder = Names.manifest(head.version() + 1);
    stream.assertSound();
    stream.put(skipping(new SkipRange(4, STEPS, "bad", head.version() + 1)));
    stream.assertFound(Invariant.I8, holder, "steps 4 to 20", "ends before step 20");
    stream.put(skipping(new SkipRange(4, 5, "bad", head.version() + 2)));
    stream.assertFound(Invariant.I8, holder, "steps 4 to 5", "later one");
  }

  @Test
  void aSkipSetThatChangesForAStartThatWasMade() throws Exception {
    write();
    assertThat(stream.namespace.skip(3, 5, "bad")).isPresent();
    head = stream.head();
    holder = Names.manifest(head.version() + 1);
    stream.put(skipping().withTables(head.tables().withoutSkipsBelow(5)));
    stream.assertFound(Invariant.I8, holder, "lacks the skip of steps 3 to 4");
    stream.put(skipping(new SkipRange(7, 8, "bad", head.version())));
    stream.assertFound(Invariant.I8, holder, "has a skip of steps 7 to 8", "lacks it");
  }

  @Test
  void aManifestBeyondItsBound() throws Exception {
    write();
    List<ProducerEntry> entries = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      entries.add(
          new ProducerEntry(
              "a producer with a name " + i,
              1,
              0,
              Optional.empty(),
              1,
              new Id128(1, 1),
              UnknownFieldSet.getDefaultInstance()));
    }
    ProducerTable table =
        new ProducerTable(
            entries, head.producers().retired(), List.of(), UnknownFieldSet.getDefaultInstance());
    stream.put(head.withHeader(header(head, 0)).withProducers(table));
    stream.assertFound(Invariant.I6, holder, "more than 131072");
  }
}
