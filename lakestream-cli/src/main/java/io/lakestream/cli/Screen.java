// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.util.OptionalInt;

/** The terminals that the standard streams of a process go to. */
public interface Screen {
  /** The width of the terminal that the standard output goes to; empty if it is none. */
  OptionalInt outputColumns();

  /** The width of the terminal that the standard error goes to; empty if it is none. */
  OptionalInt errorColumns();

  /** None: both go to files, pipes or nothing. */
  static Screen none() {
    return of(OptionalInt.empty());
  }

  /** One that both go to, or none. */
  static Screen of(OptionalInt columns) {
    return new Screen() {
      @Override
      public OptionalInt outputColumns() {
        return columns;
      }

      @Override
      public OptionalInt errorColumns() {
        return columns;
      }
    };
  }
}
