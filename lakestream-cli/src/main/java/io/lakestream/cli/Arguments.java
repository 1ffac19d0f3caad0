// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.InvalidRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks of arguments that a type does not make. */
final class Arguments {
  /** What the JVM puts in the place of bytes that are no characters in the locale. */
  private static final int REPLACEMENT = 0xFFFD;

  private Arguments() {}

  /** Refuses a value below {@code least}; an absent one is fine. */
  static void requireAtLeast(String option, @Nullable Long value, long least) {
    if (value != null && value < least) {
      throw new InvalidRequest("%s is %d; it is at least %d".formatted(option, value, least));
    }
  }

  /** Refuses a value above {@code most}. */
  static void requireAtMost(String option, long value, long most) {
    if (value > most) {
      throw new InvalidRequest("%s is %d; it is at most %d".formatted(option, value, most));
    }
  }

  /**
   * Refuses the path of a file that can neither be there nor be created.
   *
   * @param what the file is for
   */
  static void requirePlaceOfFile(String what, Path path) {
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw new InvalidRequest("the %s %s is a folder; name a file".formatted(what, path));
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new InvalidRequest(
          "the %s %s has no place, as its folder does not exist; create that, or correct the path"
              .formatted(what, path));
    }
  }

  /**
   * Refuses arguments that the JVM could not decode: it makes the same text of different ones, so
   * that two producers would become one.
   */
  static void requireDecoded(String... args) {
    Optional<String> damaged =
        List.of(args).stream()
            .filter(arg -> arg.codePoints().anyMatch(Arguments::isNone))
            .findFirst();
    if (damaged.isPresent()) {
      throw new InvalidRequest(
          ("the argument '%s' has bytes that are no characters in the locale of this process;"
                  + " choose a locale with UTF-8, such as by LC_ALL=C.UTF-8, and give it in UTF-8")
              .formatted(damaged.get()));
    }
  }

  /** Whether a code point is no character of its own: a replacement, or half of a pair. */
  private static boolean isNone(int code) {
    return code == REPLACEMENT || Character.getType(code) == Character.SURROGATE;
  }
}
