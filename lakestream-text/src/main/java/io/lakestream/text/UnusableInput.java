// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The content of an input cannot be used as it is: no UTF-8, damaged, not readable. The message
 * names the file and the place in it. Mend it or take it out; the call was right.
 */
public final class UnusableInput extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableInput(String message) {
    super(message);
  }

  private UnusableInput(String message, IOException cause) {
    super(message, cause);
  }

  /** A file or folder that could not be read, in words. */
  static UnusableInput reading(String what, IOException cause) {
    if (cause instanceof ZipException || cause instanceof EOFException) {
      return new UnusableInput(
          "%s is damaged (%s); fetch or make it again".formatted(what, reason(cause)), cause);
    }
    if (cause instanceof AccessDeniedException) {
      return new UnusableInput(
          "%s may not be read; change its permissions or take it out of the input".formatted(what),
          cause);
    }
    if (cause instanceof NoSuchFileException) {
      return new UnusableInput(
          "%s is gone; leave an input as it is while it is in use".formatted(what), cause);
    }
    return new UnusableInput(
        "%s cannot be read (%s); mend it or take it out of the input"
            .formatted(what, reason(cause)),
        cause);
  }

  private static String reason(IOException cause) {
    @Nullable String reason =
        cause instanceof FileSystemException file ? file.getReason() : cause.getMessage();
    return reason == null ? "for no reason that the system gives" : reason;
  }
}
