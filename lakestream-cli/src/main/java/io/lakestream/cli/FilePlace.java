// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import org.jspecify.annotations.Nullable;

/** The folder of a file store, as {@code doctor} looks at it. */
final class FilePlace {
  private final Path root;

  /** The nearest folder that was there before anything was tried out. */
  private final Path before;

  FilePlace(Path root) {
    this.root = root.toAbsolutePath().normalize();
    this.before = nearest(this.root);
  }

  private static Path nearest(Path folder) {
    Path nearest = folder;
    while (!Files.exists(nearest) && nearest.getParent() != null) {
      nearest = nearest.getParent();
    }
    return nearest;
  }

  Diagnosis.Finding tryHardLink() {
    String claim = "the file system has hard links";
    try {
      Path file = Files.createTempFile(nearest(root), ".lakestream-doctor", "");
      Path link = file.resolveSibling(file.getFileName() + "-link");
      try {
        Path unused = Files.createLink(link, file);
      } finally {
        Files.deleteIfExists(link);
        Files.delete(file);
      }
      return Diagnosis.Finding.held(claim);
    } catch (IOException | UnsupportedOperationException e) {
      return Diagnosis.Finding.failed(claim, Failures.message(e));
    }
  }

  long freeBytes() throws IOException {
    return Files.getFileStore(nearest(root)).getUsableSpace();
  }

  /** Removes the folders that were made meanwhile, as far as they are empty. */
  void removeWhatIsNew() {
    if (root.equals(before)) {
      return;
    }
    try {
      Path unused = Files.walkFileTree(root, new EmptyFolders());
      for (Path up = root; up != null && !up.equals(before); up = up.getParent()) {
        Files.deleteIfExists(up);
      }
    } catch (IOException e) {
      // Somebody else came to use the place; then it is no longer ours to clean up.
    }
  }

  private static final class EmptyFolders extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      Files.delete(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
