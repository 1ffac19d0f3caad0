// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Text into packed token batches. */
module io.lakestream.text {
  requires transitive io.lakestream.core;
  requires static org.jspecify;
  requires com.fasterxml.jackson.core;
  requires jtokkit;

  exports io.lakestream.text;
}
