// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.bench.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
    try {
      if (ending == Ending.DELETE) {
        WorkFolder.delete(folder);
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
