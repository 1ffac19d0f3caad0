// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder of a benchmark's own. It is deleted when it is closed, and also when the process is told
 * to end before. A process that is killed leaves it behind, to be deleted by the next one that
 * works in the same place.
 */
public final class WorkFolder implements AutoCloseable {
  /** A benchmark must not be what fills a disk that others write to. */
  public static final long FREE_BYTES_MIN = 10_000_000_000L;

  private static final long MB = 1_000_000;
  private static final String PREFIX = "lakestream-bench-";

  /** The number is the process that made the folder. */
  private static final Pattern NAME = Pattern.compile(PREFIX + "([0-9]{1,18})-.*");

  /** Writers that are still alive may make the folder again while it is being taken from them. */
  private static final int TAKEOVERS_MAX = 100;

  private final Path folder;
  private final Thread atExit;

  private WorkFolder(Path folder) {
    this.folder = folder;
    this.atExit = new Thread(this::takeAway, "lakestream-bench-cleanup");
  }

  /**
   * A new folder in {@code place}, which is created if need be.
   *
   * @throws IOException if it cannot be made there
   */
  public static WorkFolder in(Path place) throws IOException {
    Files.createDirectories(place);
    deleteLeftovers(place);
    String prefix = PREFIX + ProcessHandle.current().pid() + "-";
    WorkFolder work = new WorkFolder(Files.createTempDirectory(place, prefix));
    Runtime.getRuntime().addShutdownHook(work.atExit);
    return work;
  }

  private static void deleteLeftovers(Path place) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(place, PREFIX + "*")) {
      for (Path folder : folders) {
        Matcher name = NAME.matcher(folder.getFileName().toString());
        if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          delete(folder);
        }
      }
    }
  }

  /** The path of something in the folder. */
  public Path resolve(String name) {
    return folder.resolve(name);
  }

  /**
   * Makes sure that so many bytes can be written without leaving less than {@link #FREE_BYTES_MIN}.
   *
   * @throws IOException if they cannot
   */
  public void requireRoom(long bytes) throws IOException {
    long freeBytes = Files.getFileStore(folder).getUsableSpace();
    if (freeBytes - bytes < FREE_BYTES_MIN) {
      throw new IOException(
          "the disk of %s has %,d MB free; this step would write %,d MB and must leave %,d MB: "
                  .formatted(folder, freeBytes / MB, bytes / MB, FREE_BYTES_MIN / MB)
              + "free some space, or choose another folder (--at)");
    }
  }

  /** Deletes the folder and all in it. */
  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // The process is ending, and the hook deletes.
    }
    delete(folder);
  }

  /**
   * Deletes under the hands of threads that still write. A store makes lost folders again, but not
   * where a file is: so the folder is moved away and a file put in its place.
   */
  private void takeAway() {
    Path moved = folder.resolveSibling(folder.getFileName() + ".gone");
    try {
      for (int i = 0; i < TAKEOVERS_MAX && !isReplacedByFile(moved); i++) {
        delete(moved);
      }
      delete(moved);
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + folder, e);
    }
  }

  private boolean isReplacedByFile(Path moved) throws IOException {
    try {
      Files.move(folder, moved, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      // Nothing is there at the moment, which is as good.
    }
    try {
      Files.createFile(folder);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /** Deletes a file or folder with all in it; nothing happens if there is none. */
  public static void delete(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(root, new Deletion());
  }

  /** Deletes what it visits; somebody else may delete the same meanwhile. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, IOException failure)
        throws IOException {
      Files.deleteIfExists(visited);
      return FileVisitResult.CONTINUE;
    }
  }
}
