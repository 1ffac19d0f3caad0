// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

import java.util.List;

/**
 * A bug to plant.
 *
 * @param name what is wrong, in a few words
 * @param invariant the invariant that it should break
 * @param edits what makes it: one, unless several guards keep the same bound
 */
public record Mutant(String name, String invariant, List<Edit> edits) {

  /**
   * A change of one class.
   *
   * @param type the class, below {@code io.lakestream}, such as {@code commit.Term}
   * @param right the text of its source to replace, which is there exactly once
   * @param wrong what to replace it with
   */
  public record Edit(String type, String right, String wrong) {

    /** The path of the class's source below the root of the sources. */
    String sourcePath() {
      return "io/lakestream/" + type.replace('.', '/') + ".java";
    }

    /** The full name of the class. */
    String className() {
      return "io.lakestream." + type;
    }
  }

  /** Checks that no class is changed twice. */
  public Mutant {
    edits = List.copyOf(edits);
    if (edits.stream().map(Edit::type).distinct().count() != edits.size()) {
      throw new IllegalArgumentException("mutant '%s' changes a class twice".formatted(name));
    }
  }

  /** A bug of one class. */
  public Mutant(String name, String invariant, String type, String right, String wrong) {
    this(name, invariant, List.of(new Edit(type, right, wrong)));
  }

  /**
   * The source of a class with its part of the bug.
   *
   * @throws IllegalStateException if the source has changed, so that the bug must be planted anew
   */
  String plantIn(Edit edit, String source) {
    int at = source.indexOf(edit.right());
    if (at < 0 || source.indexOf(edit.right(), at + 1) >= 0) {
      throw new IllegalStateException(
          "mutant '%s' does not apply: %s does not have exactly once: %s"
              .formatted(name, edit.type(), edit.right()));
    }
    return source.replace(edit.right(), edit.wrong());
  }
}
