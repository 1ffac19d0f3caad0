// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The entries of an input that may hold text, sorted by name, found from names and sizes alone.
 *
 * @param input the path that was given
 * @param isArchive whether it is a zip file
 * @param entries what may hold text
 * @param skipped what cannot
 */
record Listing(Path input, boolean isArchive, List<Entry> entries, Skipped skipped) {
  Listing {
    entries = List.copyOf(entries);
  }

  /** Lists a file, a folder or an archive. */
  static Listing of(Path input) throws IOException {
    Gathering found = new Gathering();
    String lower = input.toString().toLowerCase(Locale.ROOT);
    boolean isFolder = Files.isDirectory(input);
    boolean isArchive = !isFolder && (lower.endsWith(".zip") || lower.endsWith(".jar"));
    if (isFolder) {
      Path folder = input.toRealPath();
      Files.walkFileTree(folder, new Walk(folder, found));
    } else if (isArchive) {
      listArchive(input, found);
    } else {
      found.add(Entry.ofFile(String.valueOf(input.getFileName()), input, Files.size(input)));
    }
    found.entries.sort(Comparator.comparing(Entry::name));
    requireUniqueNames(input, found.entries);
    return new Listing(input, isArchive, found.entries, found.skipped);
  }

  /**
   * Of two entries with one name the platform opens the same one twice, so that the text of the
   * other would be lost.
   */
  private static void requireUniqueNames(Path archive, List<Entry> entries) {
    for (int i = 1; i < entries.size(); i++) {
      String name = entries.get(i).name();
      if (name.equals(entries.get(i - 1).name())) {
        throw new UnusableInput(
            "%s holds two files named '%s', of which only one could be read; make it again"
                    .formatted(archive, name)
                + " without the double, or unpack it and give the folder");
      }
    }
  }

  private static void listArchive(Path archive, Gathering found) throws IOException {
    try (ZipFile zip = EntryReader.openArchive(archive)) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (!entry.isDirectory() && !isHidden(entry.getName())) {
          found.add(Entry.inArchive(entry.getName(), archive, entry.getSize()));
        }
      }
    }
  }

  /** Whether a part of the path begins with a dot. */
  private static boolean isHidden(String name) {
    return name.startsWith(".") || name.contains("/.");
  }

  /** What was found so far. */
  private static final class Gathering {
    private final List<Entry> entries = new ArrayList<>();
    private Skipped skipped = Skipped.NONE;

    void add(Entry entry) {
      if (TextBytes.isBinaryName(entry.name())) {
        skipped = skipped.plusBinary();
      } else if (entry.bytes() == 0) {
        skipped = skipped.plusEmpty();
      } else {
        entries.add(entry);
      }
    }
  }

  /** Goes through a folder, past what is hidden. Links to files are read, links to folders not. */
  private static final class Walk extends SimpleFileVisitor<Path> {
    private final Path folder;
    private final URI root;
    private final Gathering found;

    Walk(Path folder, Gathering found) {
      this.folder = folder;
      this.root = folder.toUri();
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      return !path.equals(folder) && isHidden(String.valueOf(path.getFileName()))
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (!isHidden(String.valueOf(file.getFileName())) && Files.isRegularFile(file)) {
        // A path's text depends on the locale and the platform; its URI does not.
        String name = root.relativize(file.toUri()).getPath();
        found.add(Entry.ofFile(name, file, Files.size(file)));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      throw UnusableInput.reading(file.toString(), failure);
    }
  }
}
