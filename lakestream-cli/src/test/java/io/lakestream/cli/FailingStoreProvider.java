// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreProvider;
import io.lakestream.store.Stores;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens {@code failing:///x}: the folder {@code /x}, which fails while {@code /x.down} exists. */
public final class FailingStoreProvider implements StoreProvider {
  @Override
  public String scheme() {
    return "failing";
  }

  /** What makes the store of a folder fail. */
  static Path switchOf(Path folder) {
    return folder.resolveSibling(folder.getFileName() + ".down");
  }

  @Override
  public ObjectStore open(URI uri) {
    Path down = switchOf(Path.of(uri.getPath()));
    ObjectStore store = Stores.open("file://" + uri.getPath() + "?durability=none");
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, args) -> {
              if (Files.exists(down) && !method.getName().equals("close")) {
                throw new IOException(method.getName() + " failed: the network is down");
              }
              try {
                return method.invoke(store, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
