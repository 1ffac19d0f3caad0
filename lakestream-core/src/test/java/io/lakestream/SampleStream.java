// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.model.Cell;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Cursor;
import io.lakestream.model.DType;
import io.lakestream.model.Mesh;
import io.lakestream.model.PublicationListener;
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
import io.lakestream.store.ObjectStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/**
 * Streams of samples with numbers, written for one mesh and read by jobs of others. A row is a
 * sample; position p of sample n is the token 1000·n + p.
 */
final class SampleStream implements AutoCloseable {
  static final int SEQUENCE = 16;
  static final TensorSpec TOKENS = tokens(-1, SEQUENCE);
  static final TensorSpec SAMPLE = new TensorSpec("sample", DType.I32, List.of(-1L), Kind.ROWS);
  static final TensorSpec COUNT = new TensorSpec("count", DType.I32, List.of(), Kind.SHARED);
  static final TensorSpec WEIGHT = new TensorSpec("weight", DType.I16, List.of(-1L, 2L), Kind.ROWS);
  static final Schema SCHEMA = Schema.of(TOKENS, SAMPLE, COUNT, mask(-1, SEQUENCE), WEIGHT);

  static TensorSpec tokens(long rows, long sequence) {
    return new TensorSpec("tokens", DType.I32, List.of(rows, sequence), Kind.SEQUENCE);
  }

  static TensorSpec mask(long rows, long sequence) {
    return new TensorSpec("mask", DType.U8, List.of(rows, sequence, 3L), Kind.SEQUENCE);
  }

  final Namespace namespace;
  final Mesh mesh;

  /** Samples of each replica of each step. */
  final List<List<List<Integer>>> steps = new ArrayList<>();

  private final Schema schema;
  private final CpLayout layout;
  private final int blocksPerRank;
  private int nextSample;

  SampleStream(ObjectStore store, Mesh mesh, Schema schema, CpLayout layout, int blocksPerRank) {
    this.mesh = mesh;
    this.schema = schema;
    this.layout = layout;
    this.blocksPerRank = blocksPerRank;
    this.namespace = Lakestream.create(store, "memory:///samples", mesh, Environment.system());
  }

  /** Writes steps and seals the stream; {@code rows} says how many each step and replica has. */
  SampleStream sealed(int count, IntBinaryOperator rows) throws InterruptedException {
    try (Producer producer = producer()) {
      for (int i = 0; i < count; i++) {
        write(producer, rows);
      }
      producer.seal(SealMode.WHEN_ALONE);
    }
    return this;
  }

  Producer producer() throws InterruptedException {
    return namespace.producer("p", Streams.EAGER, PublicationListener.none());
  }

  void write(Producer producer, IntBinaryOperator rows) throws InterruptedException {
    var builder = Tgb.tensors(mesh, schema, layout).blocksPerRank(blocksPerRank);
    List<List<Integer>> step = new ArrayList<>();
    for (int d = 0; d < mesh.dataParallel(); d++) {
      List<Integer> samples = new ArrayList<>();
      for (int i = rows.applyAsInt(steps.size(), d); i > 0; i--) {
        samples.add(nextSample++);
      }
      step.add(samples);
      builder.replica(d, Rows.of(samples.size(), 0), tensors(samples));
    }
    steps.add(step);
    producer.write(builder.build(), "");
  }

  private Map<String, ByteBuffer> tensors(List<Integer> samples) {
    Map<String, ByteBuffer> tensors = new TreeMap<>();
    for (TensorSpec spec : schema.tensors()) {
      boolean isSequence = spec.kind() == Kind.SEQUENCE;
      int length = isSequence ? Math.toIntExact(spec.shape().get(1)) : 0;
      tensors.put(spec.name(), tensor(spec, samples, range(0, length - 1)));
    }
    return tensors;
  }

  /** The numbers from the first to the last. */
  static List<Integer> range(int first, int last) {
    return IntStream.rangeClosed(first, last).boxed().toList();
  }

  /** What a tensor of these samples is at these positions: the plain model. */
  static ByteBuffer tensor(TensorSpec spec, List<Integer> samples, List<Integer> positions) {
    ByteBuffer data = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
    if (spec.equals(COUNT)) {
      data.putInt(samples.size());
    }
    for (int sample : samples) {
      switch (spec.name()) {
        case "sample" -> data.putInt(sample);
        case "weight" -> data.putShort((short) sample).putShort((short) -sample);
        case "tokens" -> positions.forEach(p -> data.putInt(1000 * sample + p));
        case "mask" ->
            positions.forEach(
                p -> data.put((byte) sample).put(p.byteValue()).put((byte) (sample ^ p)));
        default -> {}
      }
    }
    return data.flip();
  }

  Consumer consumer(Mesh job, Cell cell, Remap remap, Cursor start) throws InterruptedException {
    return consumer(job, cell, ConsumerSettings.DEFAULT.remapping(remap), start);
  }

  Consumer consumer(Mesh job, Cell cell, ConsumerSettings settings, Cursor start)
      throws InterruptedException {
    return namespace.consumer(new Topology(job, cell), start, settings);
  }

  Cursor start() {
    return Cursor.start(namespace.uuid());
  }

  /** What all ranks of a job got at some steps, and the cursor behind, which is one. */
  record Read(List<List<RankBatch>> steps, Cursor cursor) {}

  /** Reads at most {@code count} steps on every rank of a job. */
  Read read(Mesh job, Remap remap, Cursor start, int count) throws InterruptedException {
    return read(job, ConsumerSettings.DEFAULT.remapping(remap), start, count);
  }

  /** Reads at most {@code count} steps on every rank of a job. */
  Read read(Mesh job, ConsumerSettings settings, Cursor start, int count)
      throws InterruptedException {
    List<List<RankBatch>> steps = new ArrayList<>();
    List<Cursor> cursors = new ArrayList<>();
    for (int i = 0; i < job.cells(); i++) {
      try (Consumer consumer = consumer(job, job.cell(i), settings, start)) {
        for (int step = 0; step < count; step++) {
          Optional<RankBatch> batch = consumer.next();
          if (batch.isEmpty()) {
            break;
          }
          if (i == 0) {
            steps.add(new ArrayList<>());
          }
          steps.get(step).add(batch.get());
        }
        cursors.add(Cursor.parse(consumer.cursor().toJson()));
      }
    }
    assertThat(new ArrayList<>(cursors.stream().distinct().toList())).hasSize(1);
    assertThat(steps).allMatch(ranks -> ranks.size() == job.cells());
    return new Read(steps, cursors.get(0));
  }

  /** The samples that a rank got, by their numbers. */
  static List<Integer> samples(RankBatch batch) {
    return numbers(batch.tensor("sample"));
  }

  static List<Integer> numbers(RankBatch.Tensor tensor) {
    List<Integer> numbers = new ArrayList<>();
    ByteBuffer data = tensor.data();
    while (data.hasRemaining()) {
      numbers.add(data.getInt());
    }
    return numbers;
  }

  /** The positions of the sequence that a rank got, the same in each of its rows. */
  static List<Integer> positions(RankBatch batch) {
    List<Integer> tokens = numbers(batch.tensor("tokens"));
    List<Integer> samples = samples(batch);
    int width = tokens.size() / samples.size();
    var distinct = new ArrayList<List<Integer>>();
    for (int row = 0; row < samples.size(); row++) {
      int sample = samples.get(row);
      List<Integer> own = tokens.subList(row * width, (row + 1) * width);
      distinct.add(own.stream().map(token -> token - 1000 * sample).toList());
    }
    assertThat(new TreeSet<>(distinct.stream().map(Object::toString).toList())).hasSize(1);
    return distinct.get(0);
  }

  /** The samples of a step of the stream, in order. */
  List<Integer> samples(int step) {
    return steps.get(step).stream().flatMap(List::stream).toList();
  }

  @Override
  public void close() {
    namespace.close();
  }
}
