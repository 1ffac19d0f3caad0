// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.InvalidRequest;
import org.jspecify.annotations.Nullable;

/** Checks of arguments that a type does not make. */
final class Arguments {
  private Arguments() {}

  /** Refuses a value below {@code least}; an absent one is fine. */
  static void requireAtLeast(String option, @Nullable Long value, long least) {
    if (value != null && value < least) {
      throw new InvalidRequest("%s is %d; it is at least %d".formatted(option, value, least));
    }
  }
}
