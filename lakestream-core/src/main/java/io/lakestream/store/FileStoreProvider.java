// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.runtime.Environment;
import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * Opens {@code file:///path}: a {@link FileStore} in that folder. Its one option is {@code
 * durability}: {@code full}, the default, or {@code none}, which forces nothing to the disk, so
 * that objects survive a crash of the process but not of the machine.
 */
public final class FileStoreProvider implements StoreProvider {
  private static final String DURABILITY = "durability";

  /** For the service loader. */
  public FileStoreProvider() {}

  @Override
  public String scheme() {
    return "file";
  }

  @Override
  public ObjectStore open(URI uri) throws IOException {
    StoreOptions options = StoreOptions.of(uri, DURABILITY);
    String path = uri.getPath();
    if (path == null || uri.getAuthority() != null || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          "write a file store as file:///folder, with %3F for '?' and %23 for '#' in its name");
    }
    return FileStore.open(Path.of(path), durability(options), Environment.system());
  }

  private static Durability durability(StoreOptions options) {
    String value = options.value(DURABILITY).orElse("full");
    return switch (value) {
      case "full" -> Durability.FULL;
      case "none" -> Durability.NONE;
      default ->
          throw new IllegalArgumentException(
              "option 'durability' is full or none, not '" + value + "'");
    };
  }
}
