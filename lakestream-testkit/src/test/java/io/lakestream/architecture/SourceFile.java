// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** A file of the tree: its path from the root, with forward slashes, and its text. */
record SourceFile(String path, String text) {
  /** The folder above all modules: the nearest one that holds {@code .mvn}. */
  static Path root() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(".mvn"))) {
        return folder;
      }
    }
    throw new AssertionError("no folder above the working directory holds .mvn");
  }

  /** Every file under {@code root} whose name ends so, generated ones left out. */
  static List<SourceFile> allUnder(Path root, String suffix) throws IOException {
    Walk walk = new Walk(root, suffix);
    Files.walkFileTree(root, walk);
    return walk.found;
  }

  private static final class Walk extends SimpleFileVisitor<Path> {
    private final Path root;
    private final String suffix;
    private final List<SourceFile> found = new ArrayList<>();

    Walk(Path root, String suffix) {
      this.root = root;
      this.suffix = suffix;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      String name = String.valueOf(folder.getFileName());
      boolean isForeign = name.equals("target") || name.startsWith(".");
      return isForeign && !folder.equals(root)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.toString().endsWith(suffix)) {
        found.add(read(root, file));
      }
      return FileVisitResult.CONTINUE;
    }
  }

  private static SourceFile read(Path root, Path file) {
    try {
      return new SourceFile(
          root.relativize(file).toString().replace('\\', '/'), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  URI uri() {
    return Path.of("/" + path).toUri();
  }

  String module() {
    return path.substring(0, path.indexOf('/'));
  }

  boolean isTest() {
    return path.contains("/src/test/");
  }

  List<String> lines() {
    return text.lines().toList();
  }
}
