// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.net.URI;

/** Opens {@code memory:///name}: {@link MemoryStore#named}. It has no options. */
public final class MemoryStoreProvider implements StoreProvider {

  /** For the service loader. */
  public MemoryStoreProvider() {}

  @Override
  public String scheme() {
    return "memory";
  }

  @Override
  public ObjectStore open(URI uri) {
    StoreOptions.of(uri);
    String path = uri.getPath();
    if (uri.getAuthority() != null || path == null || path.length() < 2) {
      throw new IllegalArgumentException("write a memory store as memory:///name");
    }
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    return MemoryStore.named(path.substring(1, end));
  }
}
