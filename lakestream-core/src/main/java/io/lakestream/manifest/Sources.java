// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.format.Names;
import io.lakestream.format.NamespaceRecord;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.model.DataLoss;
import io.lakestream.store.ObjectStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * The stores of the namespaces that a fork's first steps are in. Each is opened when it is first
 * needed, and looked at whether it still is what it was. Safe for use by several threads.
 */
public final class Sources implements Closeable {
  private final Function<String, ObjectStore> opener;
  private final ConcurrentNavigableMap<UUID, ObjectStore> stores = new ConcurrentSkipListMap<>();
  private volatile boolean isClosed;

  /**
   * Sources that are opened in one way.
   *
   * @param opener opens the store at a place
   */
  public Sources(Function<String, ObjectStore> opener) {
    this.opener = opener;
  }

  /** Those of a namespace that is looked at without them. */
  static Sources none() {
    return new Sources(
        place -> {
          throw new AssertionError("nothing of %s should be needed".formatted(place));
        });
  }

  /**
   * The store of a source.
   *
   * @throws DataLoss if there is no namespace any more, or another one
   * @throws IOException if the store fails
   */
  ObjectStore store(ForkSource source) throws IOException {
    ObjectStore known = stores.get(source.uuid());
    if (known != null) {
      return known;
    }
    ObjectStore opened = opened(source);
    ObjectStore earlier = stores.putIfAbsent(source.uuid(), opened);
    if (earlier != null) {
      opened.close(); // Another thread was faster.
      return earlier;
    }
    if (isClosed) {
      opened.close();
      throw new IOException("the namespace is closed");
    }
    return opened;
  }

  private ObjectStore opened(ForkSource source) throws IOException {
    ObjectStore store = opener.apply(source.uri());
    boolean isRight = false;
    try {
      Optional<UUID> found =
          store.read(Names.NAMESPACE).map(NamespaceRecord::decode).map(NamespaceRecord::uuid);
      if (!found.equals(Optional.of(source.uuid()))) {
        throw new DataLoss(
            "steps below %d are those of namespace %s, which is not at %s any more (%s); restore it"
                .formatted(
                    source.endStep(),
                    source.uuid(),
                    source.uri(),
                    found.map(uuid -> "namespace " + uuid + " is").orElse("nothing is there")));
      }
      isRight = true;
      return store;
    } finally {
      if (!isRight) {
        store.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    Optional<IOException> failure = Optional.empty();
    for (ObjectStore store : stores.values()) {
      try {
        store.close();
      } catch (IOException e) {
        failure.ifPresent(e::addSuppressed);
        failure = Optional.of(e);
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
