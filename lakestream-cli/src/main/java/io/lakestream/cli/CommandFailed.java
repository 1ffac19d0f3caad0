// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import org.jspecify.annotations.Nullable;

/** A command failed, though it was called rightly; the message is for people. */
public final class CommandFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure that only the command knows of. */
  public CommandFailed(String message) {
    super(message);
  }

  /** A failure with its cause. */
  public CommandFailed(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
