// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.DType;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.TensorSpec.Kind;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is a drift, what is none, and how it is told. */
final class SchemaGateTest {
  private static final TensorSpec TOKENS = spec("tokens", DType.I32, Kind.SEQUENCE, -1, 1024);
  private static final TensorSpec WEIGHT = spec("weight", DType.F32, Kind.ROWS, -1, 2);
  private static final TensorSpec SCALE = spec("scale", DType.F32, Kind.SHARED);
  private static final Schema KNOWN = Schema.of(TOKENS, WEIGHT, SCALE);

  private static TensorSpec spec(String name, DType dtype, Kind kind, long... shape) {
    return new TensorSpec(
        name, dtype, IntStream.range(0, shape.length).mapToObj(i -> shape[i]).toList(), kind);
  }

  private static SchemaGate gate(Schema newest) {
    return new SchemaGate(SchemaChange.REFUSED, Optional.of(newest));
  }

  private static List<String> drift(TensorSpec... specs) {
    return gate(KNOWN).driftTo(Schema.of(specs));
  }

  @Test
  void aNewStreamTakesAnySchemaAndThenItsLike() {
    SchemaGate open = new SchemaGate(SchemaChange.REFUSED, Optional.empty());
    for (Schema first : List.of(Schema.RAW, KNOWN)) {
      assertThat(open.admit(first).newest()).contains(first);
      assertThat(open.admit(first).admit(first)).isEqualTo(gate(first));
    }
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> open.admit(Schema.RAW).admit(KNOWN));
  }

  @Test
  void sizesMayDiffer() {
    TensorSpec longer = spec("tokens", DType.I32, Kind.SEQUENCE, 8, 4096);
    TensorSpec wider = spec("weight", DType.F32, Kind.ROWS, 3, 7);
    assertThat(drift(longer, wider, SCALE)).isEmpty();
    assertThat(gate(KNOWN).admit(Schema.of(longer, wider, SCALE)).newest())
        .contains(Schema.of(longer, wider, SCALE));
  }

  @Test
  void theOrderOfTensorsMayDiffer() {
    assertThat(drift(SCALE, WEIGHT, TOKENS)).isEmpty();
  }

  @Test
  void eachDifferenceIsNamed() {
    assertThat(drift(TOKENS, WEIGHT)).containsExactly("tensor 'scale' is missing");
    assertThat(drift(TOKENS, WEIGHT, SCALE, spec("mask", DType.U8, Kind.ROWS, -1)))
        .containsExactly("tensor 'mask' is new");
    assertThat(drift(spec("tokens", DType.I64, Kind.SEQUENCE, -1, 1024), WEIGHT, SCALE))
        .containsExactly("tensor 'tokens' has dtype I64 instead of I32");
    assertThat(drift(TOKENS, spec("weight", DType.F32, Kind.ROWS, -1, 2, 3), SCALE))
        .containsExactly("tensor 'weight' has 3 dimensions instead of 2");
    assertThat(drift(TOKENS, spec("weight", DType.F32, Kind.SHARED, -1, 2), SCALE))
        .containsExactly("tensor 'weight' has kind SHARED instead of ROWS");
  }

  @Test
  void allDifferencesAreNamedTogether() {
    TensorSpec ids = spec("ids", DType.I32, Kind.SEQUENCE, -1, 1024);
    TensorSpec scale = spec("scale", DType.I8, Kind.ROWS, 1);
    assertThat(drift(ids, WEIGHT, scale))
        .containsExactly(
            "tensor 'ids' is new",
            "tensor 'scale' has dtype I8 instead of F32",
            "tensor 'scale' has 1 dimensions instead of 0",
            "tensor 'scale' has kind ROWS instead of SHARED",
            "tensor 'tokens' is missing");
  }

  @Test
  void anotherContentTypeSaysItAll() {
    assertThat(gate(KNOWN).driftTo(Schema.RAW))
        .containsExactly("the content has type RAW instead of SAFETENSORS");
    assertThat(gate(Schema.RAW).driftTo(KNOWN))
        .containsExactly("the content has type SAFETENSORS instead of RAW");
  }

  @Test
  void aRefusalSaysWhatDiffersAndWhatToDo() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> gate(KNOWN).admit(Schema.of(TOKENS)))
        .withMessageContaining("newest: tensor 'weight' is missing; tensor 'scale' is missing. ")
        .withMessageContaining("to another stream")
        .withMessageContaining("SchemaChange.ALLOWED");
  }

  @Test
  void aRefusalOfVeryMuchIsCutShort() {
    TensorSpec[] many =
        IntStream.range(0, 64)
            .mapToObj(i -> spec("t" + i, DType.U8, Kind.SHARED))
            .toArray(TensorSpec[]::new);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> gate(KNOWN).admit(Schema.of(many)))
        .withMessageContaining("tensor 't7' is new; and 59 more.")
        .withMessageNotContaining("'t8'");
  }

  @Test
  void whatIsMeantPasses() {
    SchemaGate gate = new SchemaGate(SchemaChange.ALLOWED, Optional.of(KNOWN));
    assertThat(gate.admit(Schema.RAW).newest()).contains(Schema.RAW);
    assertThat(gate.admit(Schema.RAW).admit(KNOWN)).isEqualTo(gate);
  }
}
