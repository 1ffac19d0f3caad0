// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import io.lakestream.Namespace;
import java.io.IOException;

/** What is done about the stored bytes after each checkpoint. */
@FunctionalInterface
interface Pass {
  void run(Namespace stream) throws IOException, InterruptedException;

  /** Nothing. */
  static Pass none() {
    return stream -> {};
  }
}
