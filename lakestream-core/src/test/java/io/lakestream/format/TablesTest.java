// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static io.lakestream.format.Samples.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.ProducerTable.ArchiveRun;
import io.lakestream.format.proto.TablesMessage;
import io.lakestream.model.ContentType;
import io.lakestream.model.DType;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The producers, schemas, skips and sources that a manifest carries. */
class TablesTest {
  private static final ArchiveRun A = new ArchiveRun(new Id128(0, 1), 0, 32);
  private static final ArchiveRun B = new ArchiveRun(new Id128(0, 2), 0, 32);
  private static final ArchiveRun C = new ArchiveRun(new Id128(0, 3), 0, 32);
  private static final ArchiveRun MERGED = new ArchiveRun(new Id128(0, 9), 1, 64);

  private static ProducerTable withRuns(ArchiveRun... runs) {
    return new ProducerTable(List.of(), List.of(), List.of(runs), Samples.NEWER);
  }

  @Test
  void activeProducersAreSortedAndOneOfAKind() {
    ProducerTable table =
        ProducerTable.EMPTY
            .withActive(entry("b", 1, 0))
            .withActive(entry("c", 1, 0))
            .withActive(entry("a", 2, 0))
            .withActive(entry("b", 3, 5));
    assertThat(table.active())
        .containsExactly(entry("a", 2, 0), entry("b", 3, 5), entry("c", 1, 0));
    assertThat(table.active("b")).contains(entry("b", 3, 5));
    assertThat(table.active("d")).isEmpty();
    assertThatThrownBy(
            () ->
                new ProducerTable(
                    List.of(entry("b", 1, 0), entry("b", 2, 0)),
                    List.of(),
                    List.of(),
                    Samples.NONE))
        .isInstanceOf(AssertionError.class)
        .hasMessage("two active entries of one producer");
  }

  @Test
  void aProducerIsActiveOrRetired() {
    ProducerTable opened = ProducerTable.EMPTY.withActive(entry("a", 1, 0));
    ProducerTable retired = opened.withRetired(entry("a", 1, 7));
    assertThat(retired.active()).isEmpty();
    assertThat(retired.retired("a")).contains(entry("a", 1, 7));
    assertThat(retired.retired("b")).isEmpty();
    ProducerTable again = retired.withRetired(entry("b", 2, 0)).withRetired(entry("a", 1, 8));
    assertThat(again.retired()).containsExactly(entry("b", 2, 0), entry("a", 1, 8));
    ProducerTable back = again.withActive(entry("a", 9, 8));
    assertThat(back.retired()).containsExactly(entry("b", 2, 0));
    assertThat(back.active()).containsExactly(entry("a", 9, 8));
  }

  @Test
  void retiredEntriesAreArchivedOnlyAsTheyAre() {
    ProducerTable table = withRuns(A);
    for (String id : List.of("a", "b", "c")) {
      table = table.withRetired(entry(id, 1, 1));
    }
    List<ProducerEntry> two = List.of(entry("a", 1, 1), entry("b", 1, 1));
    ProducerTable archived = table.withArchived(two, B).orElseThrow();
    assertThat(archived.retired()).containsExactly(entry("c", 1, 1));
    assertThat(archived.archive()).containsExactly(B, A);
    assertThat(archived.extra()).isEqualTo(Samples.NEWER);
    assertThat(archived.withArchived(two, C)).isEmpty();
    assertThat(table.withRetired(entry("a", 1, 2)).withArchived(two, B)).isEmpty();
  }

  @Test
  void consecutiveRunsAreMergedOnlyIfTheyAreStillThere() {
    ProducerTable table = withRuns(A, B, C);
    assertThat(table.withMerged(List.of(A, B), MERGED).orElseThrow().archive())
        .containsExactly(MERGED, C);
    assertThat(table.withMerged(List.of(B, C), MERGED).orElseThrow().archive())
        .containsExactly(A, MERGED);
    assertThat(table.withMerged(List.of(A, B, C), MERGED).orElseThrow())
        .isEqualTo(withRuns(MERGED));
    assertThat(table.withMerged(List.of(A, C), MERGED)).isEmpty();
    assertThat(table.withMerged(List.of(C, A), MERGED)).isEmpty();
    assertThat(table.withMerged(List.of(MERGED), A)).isEmpty();
    assertThat(table.withMerged(List.of(), MERGED)).isEmpty();
  }

  @Test
  void aTableKnowsItsLength() {
    ProducerTable table = withRuns(A, B).withActive(entry("a", 1, 0));
    assertThat(table.bytes()).isEqualTo(table.toMessage().toByteArray().length).isPositive();
    assertThat(ProducerTable.fromMessage("key", table.toMessage())).isEqualTo(table);
  }

  private static Schema schema(int number) {
    return Schema.of(new TensorSpec("t" + number, DType.F32, List.of(-1L), TensorSpec.Kind.ROWS));
  }

  @Test
  void aSchemaIsAddedOnce() {
    StreamTables tables = StreamTables.EMPTY.withSchema(schema(1)).withSchema(schema(2));
    assertThat(tables.withSchema(schema(1))).isSameAs(tables);
    assertThat(tables.schema(SchemaCodec.id(schema(2)))).contains(schema(2));
    assertThat(tables.schema(5)).isEmpty();
    assertThat(SchemaCodec.id(schema(1))).isNotEqualTo(SchemaCodec.id(schema(2)));
  }

  @Test
  void theNewestSchemaIsTheLastAndAnyCanBecomeIt() {
    assertThat(StreamTables.EMPTY.newestSchema()).isEmpty();
    StreamTables tables = StreamTables.EMPTY;
    for (int i = 0; i < 3; i++) {
      tables = tables.withSchema(schema(i));
    }
    assertThat(tables.newestSchema()).contains(schema(2));
    assertThat(tables.withNewest(schema(0)).schemas())
        .extracting(StreamTables.SchemaEntry::schema)
        .containsExactly(schema(1), schema(2), schema(0));
    assertThat(tables.withNewest(schema(2))).isEqualTo(tables);
  }

  @Test
  void theIdOfASchemaIsTheHashOfItsBytes() {
    // python3: int.from_bytes(hashlib.sha256(b"").digest()[:8], "little")
    assertThat(SchemaCodec.id(Schema.RAW)).isEqualTo(0x141cfc9842c4b0e3L);
    assertThat(SchemaCodec.bytes(Schema.RAW)).isZero();
  }

  @Test
  void aStreamHasSixteenSchemas() {
    StreamTables tables = StreamTables.EMPTY;
    for (int i = 0; i < FormatLimits.SCHEMAS_MAX; i++) {
      tables = tables.withSchema(schema(i));
    }
    StreamTables full = tables;
    assertThat(full.withSchema(schema(3))).isSameAs(full);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> full.withSchema(schema(16)))
        .withMessageContaining("the stream has 16 schemas already");
  }

  @Test
  void aSchemaHasFourKibibytes() {
    TensorSpec[] specs =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    new TensorSpec(
                        "x".repeat(100) + i, DType.F32, List.of(1L), TensorSpec.Kind.SHARED))
            .toArray(TensorSpec[]::new);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> StreamTables.EMPTY.withSchema(Schema.of(specs)))
        .withMessageContaining("at most 4096 bytes encoded, not ");
  }

  @Test
  void everyElementTypeAndKindComesBack() {
    for (DType dtype : DType.values()) {
      for (TensorSpec.Kind kind : TensorSpec.Kind.values()) {
        Schema schema = Schema.of(new TensorSpec("t", dtype, List.of(-1L, 8L, 3L), kind));
        assertThat(SchemaCodec.fromMessage("key", SchemaCodec.toMessage(schema))).isEqualTo(schema);
      }
    }
    assertThat(SchemaCodec.fromMessage("key", SchemaCodec.toMessage(Schema.RAW)))
        .isEqualTo(Schema.RAW);
  }

  @Test
  void aSkipRangeThatAnOlderVersionPassedOnKeepsItsVersion() {
    UnknownFieldSet notKnown =
        UnknownFieldSet.newBuilder()
            .addField(4, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
            .build();
    StreamTables passedOn =
        StreamTables.EMPTY.withSkip(new StreamTables.SkipRange(1, 2, "bad", 0, notKnown));
    assertThat(StreamTables.EMPTY.withSkip(new StreamTables.SkipRange(1, 2, "bad", 7)).toMessage())
        .hasToString(reread(passedOn).toMessage().toString());
    assertThat(reread(passedOn).skips())
        .containsExactly(new StreamTables.SkipRange(1, 2, "bad", 7));
  }

  private static StreamTables reread(StreamTables tables) {
    try {
      byte[] bytes = tables.toMessage().toByteArray();
      return StreamTables.fromMessage("key", TablesMessage.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void schemasShareARoomOfTheirOwn() {
    StreamTables tables = StreamTables.EMPTY;
    for (int i = 0; i < 2; i++) {
      tables = tables.withSchema(wide(i));
    }
    StreamTables full = tables;
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> full.withSchema(wide(2)))
        .withMessageContaining("3 schemas")
        .withMessageContaining("8192");
  }

  /** A schema of nearly as many bytes as one may have. */
  private static Schema wide(int number) {
    List<TensorSpec> tensors = new ArrayList<>();
    for (int i = 0; i < 28; i++) {
      String name = "%0120d".formatted(100 * number + i);
      tensors.add(new TensorSpec(name, DType.F32, List.of(4L), TensorSpec.Kind.SHARED));
    }
    return new Schema(ContentType.SAFETENSORS, tensors);
  }
}
