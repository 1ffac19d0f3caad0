// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps batches out of a stream that its trainers do not expect: they would hang or fail on them,
 * far from whoever wrote them.
 *
 * <p>A drift is another content type, or a tensor that is missing, new, or of another element type,
 * number of dimensions or kind. Other sizes are none, fixed or not: a longer sequence or more rows
 * are a matter of degree, every batch is read by its own schema, and each new shape is a schema of
 * the stream. Nor is another order of the tensors, which are found by name.
 *
 * @param change what to do about a drift
 * @param newest the schema that the stream has come to, if it has batches
 */
public record SchemaGate(SchemaChange change, Optional<Schema> newest) {
  /** More is no help: then the batch is meant for another stream. */
  private static final int DIFFERENCES_SHOWN_MAX = 8;

  /**
   * The gate behind a batch of this schema.
   *
   * @throws InvalidRequest if it is a drift and that is refused
   */
  public SchemaGate admit(Schema schema) {
    List<String> drift = driftTo(schema);
    if (change == SchemaChange.REFUSED && !drift.isEmpty()) {
      throw new InvalidRequest(
          ("the batch is of another kind than the stream's newest: %s. Make batches as the stream"
                  + " has them, or write these to another stream; if all trainers are ready for the"
                  + " change, open the producer with SchemaChange.ALLOWED in its settings")
              .formatted(shown(drift)));
    }
    return new SchemaGate(change, Optional.of(schema));
  }

  /** What of a schema is another than trainers expect; nothing in a new stream. */
  List<String> driftTo(Schema schema) {
    return newest.map(known -> drift(known, schema)).orElse(List.of());
  }

  private static List<String> drift(Schema known, Schema other) {
    if (known.contentType() != other.contentType()) {
      return List.of(instead("the content", "type", other.contentType(), known.contentType()));
    }
    Map<String, TensorSpec> missing = new LinkedHashMap<>();
    known.tensors().forEach(spec -> missing.put(spec.name(), spec));
    List<String> differences = new ArrayList<>();
    for (TensorSpec spec : other.tensors()) {
      TensorSpec expected = missing.remove(spec.name());
      if (expected == null) {
        differences.add("tensor '%s' is new".formatted(spec.name()));
      } else {
        differences.addAll(drift(expected, spec));
      }
    }
    missing.keySet().forEach(name -> differences.add("tensor '%s' is missing".formatted(name)));
    return differences;
  }

  private static List<String> drift(TensorSpec known, TensorSpec other) {
    String subject = "tensor '%s'".formatted(other.name());
    List<String> differences = new ArrayList<>();
    if (known.dtype() != other.dtype()) {
      differences.add(instead(subject, "dtype", other.dtype(), known.dtype()));
    }
    if (known.shape().size() != other.shape().size()) {
      differences.add(
          "%s has %d dimensions instead of %d"
              .formatted(subject, other.shape().size(), known.shape().size()));
    }
    if (known.kind() != other.kind()) {
      differences.add(instead(subject, "kind", other.kind(), known.kind()));
    }
    return differences;
  }

  private static String instead(String subject, String of, Enum<?> found, Enum<?> expected) {
    return "%s has %s %s instead of %s".formatted(subject, of, found, expected);
  }

  private static String shown(List<String> drift) {
    int more = drift.size() - DIFFERENCES_SHOWN_MAX;
    String first =
        String.join("; ", drift.subList(0, Math.min(drift.size(), DIFFERENCES_SHOWN_MAX)));
    return more > 0 ? "%s; and %d more".formatted(first, more) : first;
  }
}
