// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A schema as it is shown.
 *
 * @param contentType {@code raw} or {@code safetensors}
 * @param tensors its tensors
 */
record SchemaText(String contentType, List<Tensor> tensors) {
  /**
   * A tensor.
   *
   * @param name its name
   * @param dtype its element type, such as {@code I32}
   * @param shape its dimensions, -1 where batches differ
   * @param kind {@code sequence}, {@code rows} or {@code shared}
   */
  record Tensor(String name, String dtype, List<Long> shape, String kind) {
    static Tensor of(TensorSpec spec) {
      return new Tensor(spec.name(), spec.dtype().name(), spec.shape(), lower(spec.kind()));
    }

    @Override
    public String toString() {
      return "%s %s %s %s".formatted(name, dtype, SchemaText.shape(shape), kind);
    }
  }

  static SchemaText of(Schema schema) {
    return new SchemaText(
        lower(schema.contentType()), schema.tensors().stream().map(Tensor::of).toList());
  }

  /** Dimensions, such as {@code (*, 1024)}. */
  static String shape(List<Long> dimensions) {
    return dimensions.stream()
        .map(dimension -> dimension == TensorSpec.ANY ? "*" : Long.toString(dimension))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
