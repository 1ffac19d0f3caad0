// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static io.lakestream.SampleStream.COUNT;
import static io.lakestream.SampleStream.SAMPLE;
import static io.lakestream.SampleStream.WEIGHT;
import static io.lakestream.SampleStream.mask;
import static io.lakestream.SampleStream.range;
import static io.lakestream.SampleStream.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import io.lakestream.policy.Remap;
import io.lakestream.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any stream read by any job has the samples and positions of a model in plain lists. */
final class RemapPropertyTest {
  private static final int SEEDS = 200;
  private static final int SEQUENCE = 48;
  private static final int STEPS = 4;

  /** A stream and a job, drawn from a seed. */
  private static final class Drawn {
    final Random random;
    final Remap remap;
    final Mesh job;
    final CpLayout layout;
    final int blocks;
    final boolean isFixed;
    final SampleStream stream;

    Drawn(long seed) throws InterruptedException {
      random = new Random(seed);
      Mesh written = mesh();
      job = mesh();
      remap = random.nextBoolean() ? Remap.KEEP_RANK_BATCH : Remap.KEEP_GLOBAL_BATCH;
      int contexts = written.contextParallel();
      layout =
          contexts == 1 && random.nextInt(4) == 0
              ? CpLayout.OPAQUE
              : random.nextBoolean() ? CpLayout.ZIGZAG : CpLayout.CONTIGUOUS;
      List<Integer> possible =
          range(1, 24 / contexts).stream().filter(k -> SEQUENCE % (2 * contexts * k) == 0).toList();
      int perRank = 2 * possible.get(random.nextInt(possible.size()));
      blocks = contexts * perRank;
      isFixed = random.nextBoolean();
      int fixedRows = 1 + random.nextInt(4);
      long rows = isFixed ? fixedRows : TensorSpec.ANY;
      stream = new SampleStream(new MemoryStore(), written, schema(rows), layout, perRank);
      stream.sealed(STEPS, (step, d) -> isFixed ? fixedRows : 1 + random.nextInt(5));
    }

    private Mesh mesh() {
      return new Mesh(1 + random.nextInt(6), 1 + random.nextInt(4));
    }

    private Schema schema(long rows) {
      List<TensorSpec> specs = new ArrayList<>(List.of(tokens(rows, SEQUENCE)));
      List<TensorSpec> others = List.of(SAMPLE, COUNT, mask(rows, SEQUENCE), WEIGHT);
      others.stream().filter(spec -> random.nextBoolean()).forEach(specs::add);
      return Schema.of(specs.toArray(TensorSpec[]::new));
    }

    boolean isLegal() {
      int from = stream.mesh.dataParallel();
      int to = job.dataParallel();
      boolean isContextLegal =
          stream.mesh.contextParallel() == job.contextParallel()
              || (layout != CpLayout.OPAQUE && blocks % (2 * job.contextParallel()) == 0);
      boolean isDataLegal =
          remap == Remap.KEEP_RANK_BATCH
              ? from % to == 0 || to % from == 0
              : from == to || stream.samples(0).size() >= to;
      return isContextLegal && isDataLegal;
    }

    /** Samples of the job's replicas, step after step. */
    List<List<Integer>> samples() {
      List<List<Integer>> dealt = new ArrayList<>();
      if (remap == Remap.KEEP_RANK_BATCH || job.dataParallel() == stream.mesh.dataParallel()) {
        stream.steps.forEach(dealt::addAll);
        return dealt.subList(0, dealt.size() / job.dataParallel() * job.dataParallel());
      }
      for (int step = 0; step < STEPS; step++) {
        List<Integer> rows = stream.samples(step);
        if (rows.size() < job.dataParallel()) {
          return dealt;
        }
        dealt.addAll(arraySplit(rows, job.dataParallel()));
      }
      return dealt;
    }

    List<Integer> positions(int c) {
      int ranks = job.contextParallel();
      if (layout != CpLayout.ZIGZAG) {
        return range(c * SEQUENCE / ranks, (c + 1) * SEQUENCE / ranks - 1);
      }
      int chunk = SEQUENCE / (2 * ranks);
      int mirror = 2 * ranks - 1 - c;
      List<Integer> positions = new ArrayList<>(range(c * chunk, (c + 1) * chunk - 1));
      positions.addAll(range(mirror * chunk, (mirror + 1) * chunk - 1));
      return positions;
    }

    @Override
    public String toString() {
      return "%s of %s in %d blocks, %s, by %s, rows %s"
          .formatted(layout, stream.mesh, blocks, remap, job, isFixed ? "fixed" : "free");
    }
  }

  /** As numpy: the first parts have one more. */
  static List<List<Integer>> arraySplit(List<Integer> samples, int ranks) {
    List<List<Integer>> parts = new ArrayList<>();
    int start = 0;
    for (int rank = 0; rank < ranks; rank++) {
      int size = samples.size() / ranks + (rank < samples.size() % ranks ? 1 : 0);
      parts.add(samples.subList(start, start + size));
      start += size;
    }
    return parts;
  }

  @Test
  void everyRankOfAnyJobGetsWhatTheModelSays() throws Exception {
    int legal = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Drawn drawn = new Drawn(seed);
      String context = "seed %d: %s".formatted(seed, drawn);
      try (SampleStream stream = drawn.stream) {
        if (drawn.isLegal()) {
          legal++;
          List<List<Integer>> samples = drawn.samples();
          int steps = samples.size() / drawn.job.dataParallel();
          var read = stream.read(drawn.job, drawn.remap, stream.start(), steps);
          assertThat(read.steps()).as(context).hasSize(steps);
          checkSteps(drawn, read.steps(), samples, context);
        } else {
          assertThatExceptionOfType(InvalidRequest.class)
              .as(context)
              .isThrownBy(() -> stream.read(drawn.job, drawn.remap, stream.start(), 1));
        }
      }
    }
    assertThat(legal).isBetween(SEEDS / 4, SEEDS * 3 / 4);
  }

  private static void checkSteps(
      Drawn drawn, List<List<RankBatch>> steps, List<List<Integer>> samples, String context) {
    boolean areRowsDealt =
        drawn.remap == Remap.KEEP_GLOBAL_BATCH
            && drawn.job.dataParallel() != drawn.stream.mesh.dataParallel();
    for (int step = 0; step < steps.size(); step++) {
      for (RankBatch batch : steps.get(step)) {
        int replica = step * drawn.job.dataParallel() + batch.cell().d();
        List<Integer> own = samples.get(replica);
        List<Integer> positions = drawn.positions(batch.cell().c());
        for (TensorSpec spec : batch.schema().tensors()) {
          var tensor = batch.tensor(spec.name());
          String where = "%s, step %d, %s, %s".formatted(context, step, batch.cell(), spec);
          assertThat(tensor.data()).as(where).isEqualTo(SampleStream.tensor(spec, own, positions));
          if (spec.kind() != Kind.SHARED) {
            assertThat(tensor.shape().get(0)).as(where).isEqualTo(own.size());
          }
          assertThat(areRowsDealt && spec.kind() == Kind.SHARED).as(where).isFalse();
        }
      }
    }
  }
}
