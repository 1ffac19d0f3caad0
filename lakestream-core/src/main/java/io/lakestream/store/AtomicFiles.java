// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import io.lakestream.runtime.Entropy;
import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Creates and replaces whole files, so that a reader sees all of a file or none of it.
 *
 * <p><b>Why this is right.</b> The bytes go to a temporary file of a name that nobody else has, and
 * to the disk. Only then does the file get its real name, in one step of the file system: by a hard
 * link, which fails if the name is taken, or by a rename, which replaces. So whoever finds the name
 * finds all bytes, after a crash as well. {@code Files.move} without {@code ATOMIC_MOVE} only looks
 * whether the name is free and then renames, so that two writers may both win; {@code CREATE_NEW}
 * has one winner but lets readers see a part of the file.
 *
 * <p>The name is durable once its folder has been forced. That comes last, and for {@link
 * PutOutcome#OCCUPIED} too: the caller may build on the object that it met, whose writer may not
 * have come so far. The order also splits the errors: before the link nothing has happened and
 * nothing will; after it the object is there, and an error leaves open only how durably.
 *
 * <p>A link over NFS may take effect although its reply is lost; the repeat then finds the name
 * taken. The temporary file tells: a second name can only be the one that this put was to create.
 */
final class AtomicFiles {
  private static final System.Logger LOG = System.getLogger(AtomicFiles.class.getName());

  /** How often to re-make folders that others delete: once would do, unless they go on deleting. */
  private static final int ATTEMPTS_MAX = 3;

  private final Path tempFolder;
  private final Folders folders;
  private final Disk disk;
  private final Durability durability;
  private final Entropy entropy;

  AtomicFiles(Path tempFolder, Folders folders, Disk disk, Durability durability, Entropy entropy) {
    this.tempFolder = tempFolder;
    this.folders = folders;
    this.disk = disk;
    this.durability = durability;
    this.entropy = entropy;
  }

  /**
   * Creates {@code target} if there is no such file.
   *
   * @throws IOException if it was certainly not created and never will be by this call
   */
  PutOutcome create(Path target, Body body) throws IOException {
    // Spares who comes late the writing of all the bytes.
    if (Files.exists(target)) {
      return occupied(target);
    }
    Path temp = writeTemp(body);
    try {
      return inFolder(target, () -> link(temp, target));
    } finally {
      discard(temp);
    }
  }

  /** Creates or replaces {@code target}. */
  void replace(Path target, Body body) throws IOException {
    Path temp = writeTemp(body);
    try {
      inFolder(
          target,
          () -> {
            disk.replace(temp, target);
            return target;
          });
    } catch (IOException | RuntimeException e) {
      discard(temp);
      throw e;
    }
    folders.sync(folderOf(target));
  }

  private Path writeTemp(Body body) throws IOException {
    String name = String.format("%016x%016x", entropy.nextLong(), entropy.nextLong());
    Path temp = tempFolder.resolve(name);
    try {
      return inFolder(
          temp,
          () -> {
            disk.write(temp, body, durability);
            return temp;
          });
    } catch (FileAlreadyExistsException e) {
      // Somebody else's, so it stays.
      throw e;
    } catch (IOException | RuntimeException e) {
      discard(temp);
      throw e;
    }
  }

  private PutOutcome link(Path temp, Path target) throws IOException {
    try {
      disk.link(target, temp);
    } catch (FileAlreadyExistsException e) {
      if (!hasSecondName(temp)) {
        return occupied(target);
      }
    } catch (UnsupportedOperationException e) {
      throw new IOException(FileErrors.NO_HARD_LINKS, e);
    } catch (IOException e) {
      if (FileErrors.isLinkWithoutEffect(e)) {
        throw FileErrors.ofLink(e);
      }
      if (!hasSecondName(temp)) {
        return unknown(target, e);
      }
    }
    return created(target);
  }

  private PutOutcome created(Path target) {
    try {
      folders.sync(folderOf(target));
      return PutOutcome.CREATED;
    } catch (IOException | RuntimeException e) {
      return unknown(target, e);
    }
  }

  private PutOutcome occupied(Path target) throws IOException {
    if (Files.isDirectory(target)) {
      throw new IOException(target + " is a folder of other keys, so that it cannot be a key");
    }
    folders.sync(folderOf(target));
    return PutOutcome.OCCUPIED;
  }

  private static PutOutcome unknown(Path target, Exception cause) {
    // Who interrupts a thread knows that its work is undone.
    boolean isExpected = Thread.currentThread().isInterrupted();
    LOG.log(
        isExpected ? DEBUG : WARNING,
        "Whether " + target + " was created durably is unknown",
        cause);
    return PutOutcome.UNKNOWN;
  }

  private boolean hasSecondName(Path temp) {
    try {
      return disk.linkCount(temp) > 1;
    } catch (IOException e) {
      return false;
    }
  }

  /** Does {@code step}, which adds {@code file} to its folder, and makes the folder if needed. */
  private <T> T inFolder(Path file, Step<T> step) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        folders.ensure(folderOf(file));
        return step.run();
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS_MAX) {
          throw e;
        }
        folders.forget();
      }
    }
  }

  private static Path folderOf(Path file) throws IOException {
    Path folder = file.getParent();
    if (folder == null) {
      throw new NoSuchFileException(file.toString());
    }
    return folder;
  }

  /** Removes a temporary file; one that stays behind is removed by {@link Leftovers} one day. */
  private static void discard(Path temp) {
    try {
      Files.deleteIfExists(temp);
    } catch (IOException e) {
      LOG.log(WARNING, "Could not remove the temporary file " + temp, e);
    }
  }

  @FunctionalInterface
  private interface Step<T> {
    T run() throws IOException;
  }
}
