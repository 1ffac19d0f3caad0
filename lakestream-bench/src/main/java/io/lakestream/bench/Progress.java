// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench;

/** Hears what a benchmark is at. Called from the thread that runs the benchmark. */
@FunctionalInterface
public interface Progress {
  /** A stage begins, such as "1 MB write, pair 3 of 7". */
  void stage(String what);

  /** Says nothing to anybody. */
  static Progress none() {
    return what -> {};
  }
}
