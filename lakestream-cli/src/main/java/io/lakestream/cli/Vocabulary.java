// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.text.Tokenizer;
import java.util.List;

/**
 * What text is encoded with.
 *
 * @param tokenizer the tokenizer
 * @param arguments the arguments that ask for it
 */
public record Vocabulary(Tokenizer tokenizer, List<String> arguments) {
  public Vocabulary {
    arguments = List.copyOf(arguments);
  }

  /** One that comes with the product. */
  public static Vocabulary named(String name) {
    return new Vocabulary(Tokenizer.named(name), List.of("--encoding=" + name));
  }
}
