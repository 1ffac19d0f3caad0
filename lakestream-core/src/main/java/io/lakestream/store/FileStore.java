// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.runtime.Environment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A store in a folder of a POSIX file system with hard links. The object of a key is the file of
 * that path below the root. Any number of processes may use one folder at once. An NFS mount must
 * not remember which names are absent ({@code lookupcache=positive} or {@code none}), because a
 * reader would miss what another machine has just written.
 *
 * <p>Three things differ from an object store. A key cannot be a folder of another key ({@code a}
 * and {@code a/b}); the one that comes second is refused. No part of a key may be called {@value
 * #TEMP_FOLDER}, which is where {@link AtomicFiles} prepares files. And on a file system that
 * ignores case, so do keys.
 *
 * <p>The root is created by the first put. Folders that deletes leave empty stay.
 */
public final class FileStore implements ObjectStore {
  static final String TEMP_FOLDER = ".lakestream-tmp";

  /** Entries in a page of a listing, as many as S3 gives. */
  private static final int PAGE = 1_000;

  /**
   * Bytes in one call of read. The JDK reads into a direct buffer as large as the call and keeps it
   * for the thread, so that unbounded calls would pin the largest object ever read; and one that
   * fits the processor's cache is copied from there.
   */
  private static final int CHUNK = 1 << 18;

  /** What an object of a store of this kind survives once its put has returned. */
  public enum Durability {
    /** A crash of the machine: every put forces file and folder to the disk. */
    FULL,

    /** A crash of the process, but not of the machine: nothing is forced. */
    NONE
  }

  private final Path root;
  private final AtomicFiles files;
  private volatile boolean isClosed;

  FileStore(Path root, Durability durability, Environment environment, Disk disk) {
    this.root = root.toAbsolutePath().normalize();
    Path tempFolder = this.root.resolve(TEMP_FOLDER);
    Folders folders = new Folders(this.root, disk, durability);
    this.files = new AtomicFiles(tempFolder, folders, disk, durability, environment.entropy());
    Leftovers.remove(tempFolder, environment.clock());
  }

  /**
   * Opens the store in {@code root}, a folder that need not exist yet, and removes from it what
   * writers left behind that crashed more than a day ago.
   *
   * @throws IOException if {@code root} is something else than a folder, or cannot be read
   */
  public static FileStore open(Path root, Durability durability, Environment environment)
      throws IOException {
    requireUsable(root.toAbsolutePath().normalize());
    return new FileStore(root, durability, environment, new SystemDisk());
  }

  private static void requireUsable(Path root) throws IOException {
    Path top = root;
    while (!Files.exists(top)) {
      if (Files.isSymbolicLink(top)) {
        throw new IOException("open of " + root + ": " + top + " is a link to nothing; mend it");
      }
      top = top.getParent();
      if (top == null) {
        return;
      }
    }
    if (!Files.isDirectory(top)) {
      throw new IOException("open of " + root + ": " + top + " is a file; a store needs a folder");
    }
    if (!Files.isExecutable(top) || (top.equals(root) && !Files.isReadable(top))) {
      throw new IOException("open of " + root + ": no permission to read the folder " + top);
    }
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    Path file = file("putIfAbsent", key);
    try {
      return files.create(file, body);
    } catch (IOException e) {
      throw failure("putIfAbsent", key, e);
    }
  }

  @Override
  public void put(String key, Body body) throws IOException {
    Path file = file("put", key);
    try {
      files.replace(file, body);
    } catch (IOException e) {
      throw failure("put", key, e);
    }
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return read("read", key, ByteRange::whole);
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    ByteRange.requireRange(offset, length);
    return read("read", key, size -> ByteRange.within(size, offset, length));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    ByteRange.requireRange(0, length);
    return read("readSuffix", key, size -> ByteRange.suffix(size, length));
  }

  private Optional<ByteBuffer> read(String operation, String key, RangeOfSize rangeOf)
      throws IOException {
    Path file = file(operation, key);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = read(channel, rangeOf.of(channel.size()));
      // A folder can be opened as well, and only reading at least a byte would fail.
      return bytes.hasRemaining() || !isNoKey(file) ? Optional.of(bytes) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (isNoKey(file)) {
        return Optional.empty();
      }
      throw failure(operation, key, e);
    }
  }

  private static ByteBuffer read(FileChannel channel, ByteRange range) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(range.length());
    while (bytes.position() < range.length()) {
      int at = bytes.position();
      bytes.limit(Math.min(range.length(), at + CHUNK));
      if (channel.read(bytes, range.offset() + at) < 0) {
        throw new IOException("the file was cut short by somebody else at " + at);
      }
    }
    return bytes.flip();
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    Path file = file("size", key);
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.isDirectory() ? OptionalLong.empty() : OptionalLong.of(attributes.size());
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      if (isNoKey(file)) {
        return OptionalLong.empty();
      }
      throw failure("size", key, e);
    }
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    requireOpen("list", prefix);
    Keys.requirePrefix(prefix);
    if (!continuation.orElse(prefix).startsWith(prefix)) {
      throw new IllegalArgumentException(
          "'" + continuation.orElse("") + "' does not continue a listing of '" + prefix + "'");
    }
    FileListing listing =
        new FileListing(PAGE, name -> name.equals(TEMP_FOLDER) || !Keys.isPart(name));
    try {
      return listing.page(root.resolve(prefix), prefix, continuation);
    } catch (IOException e) {
      throw failure("list", prefix, e);
    }
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    List<Path> targets = new ArrayList<>();
    for (String key : keys) {
      targets.add(file("delete", key));
    }
    List<DeleteFailure> failures = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      try {
        delete(targets.get(i));
      } catch (IOException e) {
        failures.add(new DeleteFailure(keys.get(i), FileErrors.explain(e)));
      }
    }
    return failures;
  }

  private void delete(Path file) throws IOException {
    try {
      if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      if (!isNoKey(file)) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }

  /** True if {@code file} is a folder, or lies "below" a file: no object can have this key. */
  private boolean isNoKey(Path file) {
    if (Files.isDirectory(file)) {
      return true;
    }
    for (Path at = file.getParent(); at != null && !at.equals(root); at = at.getParent()) {
      if (Files.isRegularFile(at)) {
        return true;
      }
    }
    return false;
  }

  private Path file(String operation, String key) throws IOException {
    requireOpen(operation, key);
    Keys.requireKey(key);
    if (("/" + key + "/").contains("/" + TEMP_FOLDER + "/")) {
      throw new IllegalArgumentException(
          "bad key '" + key + "': the name " + TEMP_FOLDER + " is reserved");
    }
    return root.resolve(key);
  }

  private void requireOpen(String operation, String key) throws IOException {
    if (isClosed) {
      throw new IOException(operation + " of '" + key + "': the store in " + root + " is closed");
    }
  }

  private IOException failure(String operation, String key, IOException cause) {
    return new IOException(
        operation + " of '" + key + "' in " + root + ": " + FileErrors.explain(cause), cause);
  }

  @FunctionalInterface
  private interface RangeOfSize {
    ByteRange of(long size) throws IOException;
  }
}
