// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.SampleStream.SAMPLE;
import static io.lakestream.SampleStream.SCHEMA;
import static io.lakestream.SampleStream.TOKENS;
import static io.lakestream.SampleStream.range;
import static io.lakestream.SampleStream.samples;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.Cell;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Cursor;
import io.lakestream.model.DType;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Rows;
import io.lakestream.model.Schema;
import io.lakestream.model.SealMode;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import io.lakestream.model.Tgb;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.Remap;
import io.lakestream.runtime.Environment;
import io.lakestream.store.MemoryStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which samples and positions each rank of a job of another mesh sees, and what is refused. */
final class RemapTest {
  private static SampleStream stream(Mesh mesh, CpLayout layout, int blocksPerRank) {
    return new SampleStream(new MemoryStore(), mesh, SCHEMA, layout, blocksPerRank);
  }

  private static Mesh data(int replicas) {
    return new Mesh(replicas, 1);
  }

  private static SampleStream fourReplicas() throws InterruptedException {
    return stream(data(4), CpLayout.OPAQUE, 2).sealed(12, (step, d) -> List.of(3, 2, 4, 2).get(d));
  }

  @Test
  void theGlobalBatchIsKeptByAnyNumberOfRanks() throws Exception {
    try (SampleStream stream = fourReplicas()) {
      Cursor cursor = stream.start();
      int step = 0;
      for (int ranks : List.of(4, 2, 8, 3, 11, 1)) {
        var read = stream.read(data(ranks), Remap.KEEP_GLOBAL_BATCH, cursor, 2);
        assertThat(read.steps()).hasSize(2);
        for (List<RankBatch> batches : read.steps()) {
          List<List<Integer>> split = RemapPropertyTest.arraySplit(stream.samples(step), ranks);
          List<List<Integer>> expected = ranks == 4 ? stream.steps.get(step) : split;
          assertThat(batches).extracting(SampleStream::samples).isEqualTo(expected);
          step++;
        }
        cursor = read.cursor();
        assertThat(cursor.step()).isEqualTo(step);
        assertThat(cursor.part()).isZero();
      }
    }
  }

  @Test
  void rowsComeFromSeveralSlicesWhichTheBatchNames() throws Exception {
    try (SampleStream stream = fourReplicas()) {
      var read = stream.read(data(3), Remap.KEEP_GLOBAL_BATCH, stream.start(), 1);
      RankBatch middle = read.steps().get(0).get(1);
      assertThat(middle.sources())
          .containsExactly(
              new RankBatch.Source(new Cell(1, 0), 1, 1),
              new RankBatch.Source(new Cell(2, 0), 0, 3));
      assertThat(middle.mesh()).isEqualTo(data(3));
      assertThat(middle.cell()).isEqualTo(new Cell(1, 0));
      assertThat(middle.schema().tensors()).extracting(TensorSpec::name).doesNotContain("count");
      assertThatExceptionOfType(InvalidRequest.class).isThrownBy(() -> middle.tensor("count"));
    }
  }

  @Test
  void theRankBatchIsKeptAndEachSampleIsReadOnce() throws Exception {
    try (SampleStream stream = fourReplicas()) {
      List<Integer> seen = new ArrayList<>();
      Cursor cursor = stream.start();
      var same = stream.read(data(4), Remap.KEEP_RANK_BATCH, cursor, 3);
      same.steps().forEach(ranks -> ranks.forEach(batch -> seen.addAll(samples(batch))));
      var half = stream.read(data(2), Remap.KEEP_RANK_BATCH, same.cursor(), 3);
      for (int i = 0; i < 3; i++) {
        List<List<Integer>> replicas = stream.steps.get(3 + i / 2);
        assertThat(half.steps().get(i))
            .extracting(SampleStream::samples)
            .containsExactly(replicas.get(i % 2 * 2), replicas.get(i % 2 * 2 + 1));
        half.steps().get(i).forEach(batch -> seen.addAll(samples(batch)));
      }
      assertThat(half.cursor().step()).isEqualTo(4);
      assertThat(half.cursor().part()).as("replicas that were read").isEqualTo(2);
      var rest = stream.read(data(2), Remap.KEEP_RANK_BATCH, half.cursor(), 1);
      rest.steps().get(0).forEach(batch -> seen.addAll(samples(batch)));
      assertThat(rest.cursor().step()).isEqualTo(5);
      var twice = stream.read(data(8), Remap.KEEP_RANK_BATCH, rest.cursor(), 99);
      for (int i = 0; i < 3; i++) {
        List<List<Integer>> replicas = new ArrayList<>(stream.steps.get(5 + 2 * i));
        replicas.addAll(stream.steps.get(6 + 2 * i));
        assertThat(twice.steps().get(i)).extracting(SampleStream::samples).isEqualTo(replicas);
        twice.steps().get(i).forEach(batch -> seen.addAll(samples(batch)));
      }
      assertThat(twice.steps()).as("step 11 lacks a partner, on every rank").hasSize(3);
      assertThat(twice.cursor().step()).isEqualTo(11);
      var last = stream.read(data(4), Remap.NONE, twice.cursor(), 99);
      last.steps().get(0).forEach(batch -> seen.addAll(samples(batch)));
      assertThat(seen).doesNotHaveDuplicates().hasSize(12 * 11).isSorted();
    }
  }

  @Test
  void aRankBatchIsTheWholeSliceWithAllItsTensors() throws Exception {
    try (SampleStream stream = fourReplicas()) {
      var read = stream.read(data(2), Remap.KEEP_RANK_BATCH, stream.start(), 2);
      RankBatch batch = read.steps().get(1).get(0);
      assertThat(batch.sources())
          .extracting(RankBatch.Source::slice)
          .containsExactly(new Cell(2, 0));
      assertThat(SampleStream.numbers(batch.tensor("count"))).containsExactly(4);
      assertThat(batch.payload())
          .isEqualTo(stream.namespace.view().slice(0, new Cell(2, 0)).payload());
    }
  }

  private static List<List<Integer>> positions(List<RankBatch> ranks) {
    return ranks.stream().map(SampleStream::positions).toList();
  }

  /** The vectors of Megatron's and PyTorch's zigzag, and the plain ones. */
  private static List<List<Integer>> vectors(CpLayout layout, int ranks) {
    if (ranks == 1) {
      return List.of(range(0, 15));
    }
    if (layout == CpLayout.CONTIGUOUS) {
      return ranks == 2
          ? List.of(range(0, 7), range(8, 15))
          : List.of(range(0, 3), range(4, 7), range(8, 11), range(12, 15));
    }
    return ranks == 2
        ? List.of(List.of(0, 1, 2, 3, 12, 13, 14, 15), range(4, 11))
        : List.of(List.of(0, 1, 14, 15), List.of(2, 3, 12, 13), List.of(4, 5, 10, 11), range(6, 9));
  }

  @ParameterizedTest
  @EnumSource(names = {"CONTIGUOUS", "ZIGZAG"})
  void sequencesAreCutAndJoinedByTheirLayout(CpLayout layout) throws Exception {
    for (int written : List.of(1, 2, 4)) {
      try (SampleStream stream =
          stream(new Mesh(1, written), layout, 8 / written).sealed(4, (step, d) -> 3)) {
        Cursor cursor = stream.start();
        for (int ranks : List.of(1, 2, 4, 1)) {
          var read = stream.read(new Mesh(1, ranks), Remap.KEEP_GLOBAL_BATCH, cursor, 1);
          List<RankBatch> batches = read.steps().get(0);
          assertThat(positions(batches))
              .as("written for %d, read by %d", written, ranks)
              .isEqualTo(vectors(layout, ranks));
          assertThat(batches)
              .allSatisfy(
                  batch -> {
                    assertThat(samples(batch)).isEqualTo(stream.samples((int) batch.step()));
                    assertThat(SampleStream.numbers(batch.tensor("count"))).containsExactly(3);
                  });
          cursor = read.cursor();
        }
      }
    }
  }

  private static void assertRefused(
      SampleStream stream, Mesh job, Remap remap, Cursor cursor, String... messages) {
    for (Cell cell : List.of(new Cell(0, 0), job.cell(job.cells() - 1))) {
      var thrown =
          assertThatExceptionOfType(InvalidRequest.class)
              .isThrownBy(() -> stream.consumer(job, cell, remap, cursor));
      for (String message : messages) {
        thrown.withMessageContaining(message);
      }
    }
  }

  @Test
  void meshesThatDoNotDivideAreRefusedUnlessTheGlobalBatchIsKept() throws Exception {
    try (SampleStream stream = stream(data(8), CpLayout.OPAQUE, 2).sealed(2, (step, d) -> 1)) {
      assertRefused(stream, data(3), Remap.KEEP_RANK_BATCH, stream.start(), "8 replicas to 3");
      assertRefused(stream, data(4), Remap.NONE, stream.start(), "8x1", "4x1");
      assertThat(stream.read(data(3), Remap.KEEP_GLOBAL_BATCH, stream.start(), 9).steps())
          .hasSize(2);
      assertRefused(
          stream, data(9), Remap.KEEP_GLOBAL_BATCH, stream.start(), "8 rows", "9 replicas");
    }
  }

  @Test
  void sequencesInTooFewBlocksAreRefusedNamingTheNumberThatWouldDo() throws Exception {
    try (SampleStream stream =
        stream(new Mesh(1, 2), CpLayout.ZIGZAG, 2).sealed(1, (step, d) -> 1)) {
      Mesh four = new Mesh(1, 4);
      assertRefused(
          stream,
          four,
          Remap.KEEP_RANK_BATCH,
          stream.start(),
          "4 blocks",
          "8 blocks would do",
          "4 for each");
      Cursor end = new Cursor(stream.namespace.uuid(), 0, 1, 0);
      assertRefused(stream, four, Remap.KEEP_RANK_BATCH, end, "8 blocks would do");
    }
  }

  @Test
  void whatOnlyItsWriterCanCutIsRefused() throws Exception {
    Mesh two = new Mesh(1, 2);
    for (Remap remap : List.of(Remap.KEEP_RANK_BATCH, Remap.KEEP_GLOBAL_BATCH)) {
      try (SampleStream stream = stream(data(1), CpLayout.OPAQUE, 8).sealed(1, (step, d) -> 1)) {
        assertRefused(stream, two, remap, stream.start(), "only its writer knows");
      }
    }
    try (Namespace raw =
            Lakestream.create(new MemoryStore(), "memory:///raw", two, Environment.system());
        Producer producer = raw.producer("p")) {
      byte[] one = {1};
      producer.write(
          Tgb.raw(two).slice(0, 0, ByteBuffer.wrap(one)).slice(0, 1, ByteBuffer.wrap(one)).build(),
          "");
      producer.seal(SealMode.WHEN_ALONE);
      var settings = ConsumerSettings.DEFAULT;
      for (Mesh job : List.of(new Mesh(1, 1), new Mesh(2, 2))) {
        var topology = new Topology(job, new Cell(0, 0));
        assertThatExceptionOfType(InvalidRequest.class)
            .isThrownBy(
                () ->
                    raw.consumer(
                        topology,
                        Cursor.start(raw.uuid()),
                        settings.remapping(Remap.KEEP_GLOBAL_BATCH)))
            .withMessageContaining("step 0 was written for a 1x2 mesh")
            .withMessageContaining("raw");
      }
    }
  }

  @Test
  void batchesWithoutRowsAreRefused() throws Exception {
    TensorSpec free = new TensorSpec("free", DType.U8, List.of(-1L), Kind.SHARED);
    for (Schema schema : List.of(Schema.of(free), Schema.of(free, SAMPLE))) {
      try (SampleStream stream =
          new SampleStream(new MemoryStore(), data(1), schema, CpLayout.OPAQUE, 2)) {
        Map<String, ByteBuffer> tensors =
            schema.tensors().size() == 1
                ? Map.of("free", ByteBuffer.allocate(1))
                : Map.of("free", ByteBuffer.allocate(1), "sample", ByteBuffer.allocate(0));
        try (Producer producer = stream.producer()) {
          producer.write(
              Tgb.tensors(data(1), schema, CpLayout.OPAQUE)
                  .replica(0, Rows.UNKNOWN, tensors)
                  .build(),
              "");
          producer.seal(SealMode.WHEN_ALONE);
        }
        assertRefused(stream, data(2), Remap.KEEP_GLOBAL_BATCH, stream.start(), "rows");
      }
    }
  }

  @Test
  void cursorsInTheMiddleOfAStepAreRefusedNamingTheLastPlaceThatWouldDo() throws Exception {
    try (SampleStream stream = fourReplicas()) {
      Cursor third = new Cursor(stream.namespace.uuid(), 0, 3, 3);
      assertRefused(
          stream, data(2), Remap.KEEP_RANK_BATCH, third, "part 3 of step 3", "part 2 of step 3");
      for (int ranks : List.of(4, 8)) {
        assertRefused(stream, data(ranks), Remap.KEEP_RANK_BATCH, third, "is step 3");
      }
      assertRefused(stream, data(3), Remap.KEEP_GLOBAL_BATCH, third, "is step 3");
      Cursor beyond = new Cursor(stream.namespace.uuid(), 0, 3, 4);
      assertRefused(stream, data(1), Remap.KEEP_RANK_BATCH, beyond, "is part 3 of step 3");
      assertThat(stream.read(data(1), Remap.KEEP_RANK_BATCH, third, 1).cursor().step())
          .isEqualTo(4);
    }
  }

  @Test
  void seekingKeepsToTheGroupsThatOpeningBegan() throws Exception {
    try (SampleStream stream = fourReplicas();
        Consumer consumer =
            stream.consumer(
                data(12),
                new Cell(0, 0),
                Remap.KEEP_RANK_BATCH,
                new Cursor(stream.namespace.uuid(), 0, 4, 0))) {
      consumer.seek(7);
      assertThat(samples(consumer.next().orElseThrow())).isEqualTo(stream.steps.get(7).get(0));
      consumer.seek(1);
      assertThat(samples(consumer.next().orElseThrow())).isEqualTo(stream.steps.get(1).get(0));
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> consumer.seek(6))
          .withMessageContaining("step 6")
          .withMessageContaining("last place where one does is step 4");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> consumer.seek(0))
          .withMessageContaining("first place where one does is step 1");
      assertThat(consumer.cursor().step()).as("it stays where it was").isEqualTo(4);
    }
  }

  @Test
  void anIllegalStepOfALiveStreamIsFoundWhenItComes() throws Exception {
    Schema schema = Schema.of(TOKENS, SAMPLE);
    try (SampleStream stream =
            new SampleStream(new MemoryStore(), data(1), schema, CpLayout.OPAQUE, 2);
        Producer producer = stream.producer();
        Consumer consumer =
            stream.consumer(data(2), new Cell(1, 0), Remap.KEEP_GLOBAL_BATCH, stream.start())) {
      stream.write(producer, (step, d) -> 2);
      stream.write(producer, (step, d) -> 1);
      producer.seal(SealMode.WHEN_ALONE);
      assertThat(samples(consumer.next().orElseThrow())).containsExactly(1);
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(consumer::next)
          .withMessageContaining("step 1 was written")
          .withMessageContaining("1 rows");
      assertThat(consumer.cursor().step()).isEqualTo(1);
    }
  }
}
