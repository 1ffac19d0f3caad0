// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The temporary folder and the processes of a demo, which go together when it ends. */
final class Stage implements AutoCloseable {
  private final Path folder;
  private final Ending ending;
  private final List<Child> children = new ArrayList<>();

  /** What becomes of the folder. */
  enum Ending {
    /** It goes. */
    DELETE,
    /** It stays, to be looked at. */
    KEEP
  }

  private Stage(Path folder, Ending ending) {
    this.folder = folder;
    this.ending = ending;
  }

  /** A stage with a new folder. */
  static Stage open(Ending ending) throws IOException {
    return new Stage(Files.createTempDirectory("lakestream-demo-"), ending);
  }

  Path folder() {
    return folder;
  }

  /** A folder below that of the stage. */
  Path folder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  /** Adds a child, which ends no later than the stage. */
  void add(Child child) {
    children.add(child);
  }

  /** All children, in the order in which they were added. */
  List<Child> children() {
    return List.copyOf(children);
  }

  /** The children of one kind. */
  List<Child> children(Child.Kind kind) {
    return children.stream().filter(child -> child.kind() == kind).toList();
  }

  /** Ends all children, then deletes the folder unless it is to stay. */
  @Override
  public void close() throws IOException {
    // Closing may be the answer to an interrupt, which must not keep the folder from going.
    boolean isInterrupted = Thread.interrupted();
    children.forEach(Child::kill);
    try {
      for (Child child : children) {
        child.join();
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    if (ending == Ending.DELETE) {
      Files.walkFileTree(folder, new Deletion());
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Deletes a folder with all that is in it. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      boolean unused = Files.deleteIfExists(file);
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
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      boolean unused = Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
