// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The folders of a {@link FileStore} that are known to exist, durably, so that a put need not ask.
 *
 * <p>A folder is durable when its name in the folder above is on disk, and so on up to the root.
 * That is made sure once for each folder, whoever created it: another process may have created it a
 * moment ago and not have forced it yet.
 *
 * <p>What is known may be wrong, since anybody may delete a folder. Then the next call in it meets
 * {@link NoSuchFileException}, and its caller {@linkplain #forget() forgets} and tries again.
 */
final class Folders {
  /** Folders to remember, a few MB of paths; past it everything is learnt anew. */
  private static final int KNOWN_MAX = 10_000;

  private final Path root;
  private final Disk disk;
  private final Durability durability;
  private final ConcurrentSkipListSet<Path> known = new ConcurrentSkipListSet<>();

  Folders(Path root, Disk disk, Durability durability) {
    this.root = root;
    this.disk = disk;
    this.durability = durability;
  }

  /**
   * Makes sure that {@code folder}, the root or below it, exists.
   *
   * @throws IOException if it cannot be created, or is a file
   */
  void ensure(Path folder) throws IOException {
    if (known.contains(folder)) {
      return;
    }
    if (folder.equals(root)) {
      createRoot(root);
    } else {
      Path parent = parent(folder);
      ensure(parent);
      create(folder);
      sync(parent);
    }
    if (known.size() >= KNOWN_MAX) {
      known.clear();
    }
    known.add(folder);
  }

  /** Forgets what is known. */
  void forget() {
    known.clear();
  }

  /** Forces the names in {@code folder} to the disk, unless this store does without. */
  void sync(Path folder) throws IOException {
    if (durability == Durability.FULL) {
      disk.syncFolder(folder);
    }
  }

  private void createRoot(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Path parent = parent(folder);
      createRoot(parent);
      create(folder);
      sync(parent);
    }
  }

  private void create(Path folder) throws IOException {
    try {
      disk.createFolder(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw new IOException(folder + " is a file, so that no key can lie below it", e);
      }
    }
  }

  private static Path parent(Path folder) throws IOException {
    Path parent = folder.getParent();
    if (parent == null) {
      throw new NoSuchFileException(folder.toString());
    }
    return parent;
  }
}
