// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

/**
 * A bug to plant.
 *
 * @param name what is wrong, in a few words
 * @param invariant the invariant that it should break
 * @param type the class that has it, below {@code io.lakestream}, such as {@code commit.Term}
 * @param right the text of its source to replace, which is there exactly once
 * @param wrong what to replace it with
 */
public record Mutant(String name, String invariant, String type, String right, String wrong) {

  /** The path of the class's source below the root of the sources. */
  String sourcePath() {
    return "io/lakestream/" + type.replace('.', '/') + ".java";
  }

  /** The full name of the class. */
  String className() {
    return "io.lakestream." + type;
  }

  /**
   * The source with the bug.
   *
   * @throws IllegalStateException if the source has changed, so that the bug must be planted anew
   */
  String plantIn(String source) {
    int at = source.indexOf(right);
    if (at < 0 || source.indexOf(right, at + 1) >= 0) {
      throw new IllegalStateException(
          "mutant '%s' does not apply: %s does not have exactly once: %s"
              .formatted(name, type, right));
    }
    return source.replace(right, wrong);
  }
}
