// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.Cell;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.CpLayout;
import io.lakestream.model.DType;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Rows;
import io.lakestream.model.Schema;
import io.lakestream.model.SequenceCut;
import io.lakestream.model.StepInfo;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import io.lakestream.model.Tgb;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tensors come back from a stored batch as each rank should see them, for any schema. */
class TensorRoundTripTest {
  private static final TensorSpec TOKENS =
      new TensorSpec("tokens", DType.I32, List.of(-1L, 8L), Kind.SEQUENCE);
  private static final TensorSpec LABEL =
      new TensorSpec("label", DType.F32, List.of(-1L, 3L), Kind.ROWS);
  private static final TensorSpec FREE =
      new TensorSpec("free", DType.U8, List.of(-1L, 2L), Kind.SHARED);

  /** A batch with everything about it drawn from a seed. */
  private static final class Drawn {
    final Random random;
    final Mesh mesh;
    final int blocksPerRank;
    final int sequence;
    final int rows;
    final CpLayout layout;
    final Schema schema;
    final List<Map<String, ByteBuffer>> replicas = new ArrayList<>();

    Drawn(long seed) {
      random = new Random(seed);
      mesh = new Mesh(1 + random.nextInt(3), 1 + random.nextInt(4));
      blocksPerRank = 2 * (1 + random.nextInt(3));
      sequence = mesh.contextParallel() * blocksPerRank * (1 + random.nextInt(4));
      rows = 1 + random.nextInt(4);
      layout =
          mesh.contextParallel() == 1 && random.nextBoolean()
              ? CpLayout.OPAQUE
              : random.nextBoolean() ? CpLayout.ZIGZAG : CpLayout.CONTIGUOUS;
      List<TensorSpec> specs = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(5); i++) {
        specs.add(spec("t" + i));
      }
      schema = Schema.of(specs.toArray(TensorSpec[]::new));
      for (int d = 0; d < mesh.dataParallel(); d++) {
        replicas.add(replica());
      }
    }

    private TensorSpec spec(String name) {
      Kind kind = List.of(Kind.values()).get(random.nextInt(3));
      DType dtype = List.of(DType.values()).get(random.nextInt(DType.values().length));
      List<Long> shape = new ArrayList<>();
      if (kind != Kind.SHARED || random.nextBoolean()) {
        shape.add(random.nextBoolean() ? TensorSpec.ANY : rows);
        if (kind == Kind.SEQUENCE) {
          shape.add((long) sequence);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
          shape.add(1L + random.nextInt(3));
        }
      }
      return new TensorSpec(name, dtype, shape, kind);
    }

    private Map<String, ByteBuffer> replica() {
      Map<String, ByteBuffer> tensors = new TreeMap<>();
      for (TensorSpec spec : schema.tensors()) {
        long count = spec.shape().isEmpty() ? 1 : rows;
        byte[] data = new byte[(int) (count * spec.bytesOfFirst())];
        random.nextBytes(data);
        ByteBuffer padded = ByteBuffer.allocate(data.length + 3).position(2);
        padded.put(data).flip().position(2);
        tensors.put(spec.name(), padded);
      }
      return tensors;
    }

    Tgb tgb() {
      var builder = Tgb.tensors(mesh, schema, layout).blocksPerRank(blocksPerRank);
      for (int d = 0; d < mesh.dataParallel(); d++) {
        builder.replica(d, Rows.of(rows, 0), replicas.get(d));
      }
      return builder.build();
    }

    /** What rank c of replica d should see, computed position by position. */
    ByteBuffer expected(int d, int c, TensorSpec spec) {
      ByteBuffer whole = replicas.get(d).getOrDefault(spec.name(), ByteBuffer.allocate(0)).slice();
      if (spec.kind() != Kind.SEQUENCE) {
        return whole;
      }
      SequenceCut cut = new SequenceCut(layout, mesh.contextParallel(), blocksPerRank);
      int width = sequence / cut.blocks();
      int bytes = (int) spec.bytesPerPosition();
      ByteBuffer expected = ByteBuffer.allocate(whole.remaining() / mesh.contextParallel());
      for (int row = 0; row < rows; row++) {
        for (int block : cut.blocksOf(c)) {
          for (int i = 0; i < width; i++) {
            expected.put(whole.slice((row * sequence + block * width + i) * bytes, bytes));
          }
        }
      }
      return expected.flip();
    }
  }

  private static RankBatch batch(TgbImage image, Tgb tgb, Cell cell) {
    ByteBuffer bytes = Samples.joined(image.buffers());
    SliceIndex.Range range = image.sliceIndex().locate(() -> "key", tgb.mesh().index(cell));
    List<ByteBuffer> blocks =
        SliceTrailer.check("key", 0, bytes.slice((int) range.offset(), (int) range.length()));
    return batch(tgb, cell, blocks);
  }

  private static RankBatch batch(Tgb tgb, Cell cell, List<ByteBuffer> blocks) {
    List<Integer> lengths = blocks.stream().map(ByteBuffer::remaining).toList();
    return new RankBatch(
        new StepInfo(7, 1, "p", 1, 0, "", List.of(), 0, 0, ""),
        tgb.mesh(),
        cell,
        tgb.cpLayout(),
        tgb.schema(),
        Samples.joined(blocks),
        lengths);
  }

  @Test
  void everyRankSeesItsPartOfEveryTensor() {
    for (long seed = 0; seed < 300; seed++) {
      Drawn drawn = new Drawn(seed);
      Tgb tgb = drawn.tgb();
      TgbImage image = TgbImage.encode(NAMESPACE, tgb, new Footer.Stamp("p", 1, 0, ""));
      for (int i = 0; i < drawn.mesh.cells(); i++) {
        Cell cell = drawn.mesh.cell(i);
        RankBatch batch = batch(image, tgb, cell);
        for (TensorSpec spec : drawn.schema.tensors()) {
          checkTensor(drawn, batch.tensor(spec.name()), cell, "seed %d %s".formatted(seed, spec));
        }
      }
    }
  }

  private static void checkTensor(Drawn drawn, RankBatch.Tensor tensor, Cell cell, String context) {
    TensorSpec spec = tensor.spec();
    assertThat(tensor.data()).as(context).isEqualTo(drawn.expected(cell.d(), cell.c(), spec));
    List<Long> shape = new ArrayList<>(spec.shape());
    if (!shape.isEmpty()) {
      shape.set(0, (long) drawn.rows);
    }
    if (spec.kind() == Kind.SEQUENCE) {
      shape.set(1, (long) drawn.sequence / drawn.mesh.contextParallel());
    }
    assertThat(tensor.shape()).as(context).isEqualTo(shape);
  }

  private static ByteBuffer bytes(int length) {
    return ByteBuffer.allocate(length);
  }

  private static void assertRefused(
      Schema schema, Rows rows, Map<String, ByteBuffer> tensors, String message) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(
            () -> Tgb.tensors(new Mesh(2, 2), schema, CpLayout.ZIGZAG).replica(1, rows, tensors))
        .withMessageContaining("replica 1")
        .withMessageContaining(message);
  }

  @Test
  void tensorsThatDoNotFitTheSchemaAreRefused() {
    Schema schema = Schema.of(TOKENS, LABEL);
    Rows two = Rows.of(1, 1);
    assertRefused(schema, two, Map.of("tokens", bytes(64)), "lacks tensor label");
    assertRefused(
        schema,
        two,
        Map.of("tokens", bytes(64), "label", bytes(24), "more", bytes(1)),
        "the schema has [tokens, label]");
    assertRefused(schema, two, Map.of("tokens", bytes(63), "label", bytes(24)), "has 63 bytes");
    assertRefused(schema, two, Map.of("tokens", bytes(32), "label", bytes(24)), "2 times 32");
    assertRefused(schema, two, Map.of("tokens", bytes(64), "label", bytes(36)), "has 36 bytes");
    assertRefused(
        schema, Rows.UNKNOWN, Map.of("tokens", bytes(0), "label", bytes(0)), "but no rows");
    assertRefused(Schema.of(FREE), two, Map.of("free", bytes(3)), "has 3 bytes");
    TensorSpec scalar = new TensorSpec("s", DType.F64, List.of(), Kind.SHARED);
    assertRefused(Schema.of(scalar), two, Map.of("s", bytes(4)), "1 times 8");
    TensorSpec fixed = new TensorSpec("f", DType.U8, List.of(4L, 2L), Kind.SHARED);
    assertRefused(Schema.of(fixed), two, Map.of("f", bytes(6)), "4 times 2");
    for (Kind kind : List.of(Kind.ROWS, Kind.SEQUENCE)) {
      TensorSpec three = new TensorSpec("r", DType.U8, List.of(3L, 8L), kind);
      assertRefused(Schema.of(three), two, Map.of("r", bytes(16)), "has 2 rows; its schema says 3");
    }
    TensorSpec seven = new TensorSpec("r", DType.U8, List.of(-1L, 7L), Kind.SEQUENCE);
    assertRefused(Schema.of(seven), two, Map.of("r", bytes(14)), "cannot be cut into 4 equal");
  }

  @Test
  void aReplicaIsSetOnceAndAllOfThem() {
    var builder = Tgb.tensors(new Mesh(2, 2), Schema.of(TOKENS), CpLayout.ZIGZAG);
    builder.replica(0, Rows.of(1, 0), Map.of("tokens", bytes(32)));
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> builder.replica(0, Rows.of(1, 0), Map.of("tokens", bytes(32))))
        .withMessage("replica 0 was set twice");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(builder::build)
        .withMessage("slice (1,0) of the 2x2 batch is missing");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> builder.replica(2, Rows.of(1, 0), Map.of("tokens", bytes(32))))
        .withMessageContaining("slice (2,0) lies outside the 2x2 mesh");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Tgb.tensors(new Mesh(1, 1), Schema.RAW, CpLayout.ZIGZAG))
        .withMessageContaining("needs a schema of tensors");
  }

  @Test
  void schemasThatCannotBeAreRefused() {
    for (Runnable bad :
        List.<Runnable>of(
            () -> spec("", List.of(1L), Kind.SHARED),
            () -> spec("x".repeat(129), List.of(1L), Kind.SHARED),
            () -> spec("x", List.of(1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L), Kind.SHARED),
            () -> spec("x", List.of(0L), Kind.SHARED),
            () -> spec("x", List.of(-2L), Kind.SHARED),
            () -> spec("x", List.of(1L, -1L), Kind.SHARED),
            () -> spec("x", List.of(), Kind.ROWS),
            () -> spec("x", List.of(-1L), Kind.SEQUENCE),
            () -> spec("x", List.of(1L << 31, 1L << 31, 1L << 31), Kind.SHARED),
            () -> spec("x", List.of((1L << 49) + 1), Kind.SHARED),
            () -> spec("x", List.of(-1L, Long.MAX_VALUE), Kind.SEQUENCE),
            () -> Schema.of(TOKENS, TOKENS),
            () -> Schema.of(TOKENS, spec("y", List.of(-1L, 16L), Kind.SEQUENCE)),
            Schema::of)) {
      assertThatExceptionOfType(InvalidRequest.class).isThrownBy(bad::run);
    }
    assertThat(spec("x".repeat(128), List.of(-1L), Kind.ROWS).bytesOfFirst()).isEqualTo(2);
  }

  private static TensorSpec spec(String name, List<Long> shape, Kind kind) {
    return new TensorSpec(name, DType.F16, shape, kind);
  }

  private static Tgb both() {
    return Tgb.tensors(new Mesh(1, 2), Schema.of(TOKENS, LABEL, FREE), CpLayout.ZIGZAG)
        .replica(
            0, Rows.of(2, 0), Map.of("tokens", bytes(64), "label", bytes(24), "free", bytes(6)))
        .build();
  }

  @Test
  void anUnknownTensorIsNamed() {
    Tgb tgb = both();
    RankBatch batch = batch(tgb, new Cell(0, 1), tgb.slices().get(1).blocks());
    assertThat(batch.tensor("free").shape()).containsExactly(3L, 2L);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> batch.tensor("more"))
        .withMessage("step 7 has no tensor 'more'; it has [tokens, label, free]");
  }

  @Test
  void blocksThatDoNotFitTheSchemaAreCorrupt() {
    Tgb tgb = both();
    List<ByteBuffer> good = tgb.slices().get(0).blocks();
    assertThat(good).extracting(ByteBuffer::remaining).containsExactly(16, 16, 46);
    for (List<ByteBuffer> blocks :
        List.of(
            List.<ByteBuffer>of(),
            good.subList(2, 3),
            List.of(good.get(0), good.get(2)),
            List.of(good.get(0), bytes(24), good.get(2)),
            List.of(bytes(15), bytes(15), good.get(2)),
            List.of(bytes(0), bytes(0), good.get(2)),
            List.of(good.get(0), good.get(0), good.get(0), good.get(2)))) {
      assertThatExceptionOfType(CorruptObject.class)
          .as("%s", blocks)
          .isThrownBy(() -> batch(tgb, new Cell(0, 0), blocks).tensor("tokens"))
          .withMessageContaining("step 7 is corrupt at slice (0,0)");
    }
  }

  @Test
  void aWholeBlockThatDoesNotFitTheSchemaIsCorrupt() {
    Tgb tgb = both();
    List<ByteBuffer> good = tgb.slices().get(0).blocks();
    for (long length : new long[] {-1, 25, 47, 1L << 40, Long.MIN_VALUE}) {
      ByteBuffer whole = ByteBuffer.allocate(46).put(good.get(2).duplicate()).flip();
      whole.order(java.nio.ByteOrder.LITTLE_ENDIAN).putLong(0, length);
      List<ByteBuffer> blocks = List.of(good.get(0), good.get(1), whole);
      for (String name : List.of("label", "free")) {
        assertThatExceptionOfType(CorruptObject.class)
            .as("%s of %d", name, length)
            .isThrownBy(() -> batch(tgb, new Cell(0, 0), blocks).tensor(name))
            .withMessageContaining("step 7 is corrupt at slice (0,0)");
      }
    }
    ByteBuffer longer = ByteBuffer.allocate(47).put(good.get(2).duplicate()).rewind();
    for (ByteBuffer whole : List.of(longer, good.get(2).slice(0, 7), good.get(2).slice(0, 45))) {
      List<ByteBuffer> blocks = List.of(good.get(0), good.get(1), whole);
      assertThatExceptionOfType(CorruptObject.class)
          .isThrownBy(() -> batch(tgb, new Cell(0, 0), blocks).tensor("label"));
    }
  }
}
