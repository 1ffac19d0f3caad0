// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0

/** The stream of global batches: format, commit, consumption, and the stores of one machine. */
module io.lakestream.core {
  requires com.fasterxml.jackson.core;
  requires com.google.protobuf;
  requires static org.jspecify;

  exports io.lakestream;
  exports io.lakestream.model;
  exports io.lakestream.policy;
  exports io.lakestream.runtime;
  exports io.lakestream.store;
  exports io.lakestream.store.bucket;

  uses io.lakestream.store.StoreProvider;

  provides io.lakestream.store.StoreProvider with
      io.lakestream.store.FileStoreProvider,
      io.lakestream.store.MemoryStoreProvider;
}
