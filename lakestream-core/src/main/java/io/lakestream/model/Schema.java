// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.LinkedHashSet;
import java.util.List;

/**
 * What a TGB consists of: its content type and, for tensors, their description. Part of the
 * stream's metadata, so that a drift of names or types is refused where it arises.
 *
 * @param contentType what the bytes of a slice are
 * @param tensors the tensors in the order in which a slice stores them; none for raw content
 */
public record Schema(ContentType contentType, List<TensorSpec> tensors) {
  /** The schema of raw bytes. */
  public static final Schema RAW = new Schema(ContentType.RAW, List.of());

  private static final int TENSORS_MAX = 64;

  public Schema {
    tensors = List.copyOf(tensors);
    if ((contentType == ContentType.RAW) != tensors.isEmpty()) {
      throw new InvalidRequest("raw content has no tensors, and safetensors content has some");
    }
    if (tensors.size() > TENSORS_MAX) {
      throw new InvalidRequest(
          "a schema has at most %d tensors, not %d".formatted(TENSORS_MAX, tensors.size()));
    }
    LinkedHashSet<String> names = new LinkedHashSet<>();
    for (TensorSpec tensor : tensors) {
      if (!names.add(tensor.name())) {
        throw new InvalidRequest("two tensors are called %s".formatted(tensor.name()));
      }
    }
    checkSequences(tensors);
  }

  private static void checkSequences(List<TensorSpec> tensors) {
    List<TensorSpec> sequences =
        tensors.stream().filter(t -> t.kind() == TensorSpec.Kind.SEQUENCE).toList();
    if (sequences.stream().map(t -> t.shape().get(1)).distinct().count() > 1) {
      throw new InvalidRequest("all sequence tensors of a schema have the same sequence length");
    }
  }

  /** A schema of tensors. */
  public static Schema of(TensorSpec... tensors) {
    return new Schema(ContentType.SAFETENSORS, List.of(tensors));
  }

  /** The tensors that are cut along the sequence, in order. */
  public List<TensorSpec> sequenceTensors() {
    return tensors.stream().filter(t -> t.kind() == TensorSpec.Kind.SEQUENCE).toList();
  }

  /** The tensors that go whole to every context-parallel rank, in order. */
  public List<TensorSpec> wholeTensors() {
    return tensors.stream().filter(t -> t.kind() != TensorSpec.Kind.SEQUENCE).toList();
  }
}
