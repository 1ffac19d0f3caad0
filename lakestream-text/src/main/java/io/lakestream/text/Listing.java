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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
    return new Listing(input, isArchive, found.entries, found.skips.skipped());
  }

  private static void listArchive(Path archive, Gathering found) throws IOException {
    Set<String> names = new HashSet<>();
    Set<String> hidden = new HashSet<>();
    try (ZipFile zip = EntryReader.openArchive(archive)) {
      for (ZipEntry entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
        Entry file = Entry.inArchive(entry.getName(), archive, entry.getSize());
        Optional<String> hiddenPart = hiddenPart(entry.getName());
        if (hiddenPart.isEmpty()) {
          found.add(file);
          requireUnique(file, names);
        } else if (hidden.add(hiddenPart.get())) {
          found.skips.add(SkipReason.HIDDEN, archive + "!/" + hiddenPart.get());
        }
      }
    }
  }

  /**
   * Of two entries with one name the platform opens the same one twice, so that the text of the
   * other would be lost.
   */
  private static void requireUnique(Entry file, Set<String> names) {
    if (TextBytes.skipReason(file.name()).isEmpty() && !names.add(file.name())) {
      throw new UnusableInput(
          "%s holds two files named '%s', of which only one could be read; make it again without"
                  .formatted(file.file(), file.name())
              + " the double, or unpack it and give the folder");
    }
  }

  /** The path of the first part of a path that is hidden, if one is. */
  private static Optional<String> hiddenPart(String path) {
    int start = 0;
    while (start < path.length()) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      if (isHidden(path.substring(start, end))) {
        return Optional.of(path.substring(0, end));
      }
      start = end + 1;
    }
    return Optional.empty();
  }

  /** Whether a name begins with a dot. Nothing is unpacked, so the way up is a name like others. */
  private static boolean isHidden(String name) {
    return name.startsWith(".") && !name.equals(".") && !name.equals("..");
  }

  /** What was found so far. */
  private static final class Gathering {
    private final List<Entry> entries = new ArrayList<>();
    private final SkipLog skips = SkipLog.naming();

    void add(Entry entry) {
      Optional<SkipReason> reason = TextBytes.skipReason(entry.name());
      if (reason.isPresent()) {
        skips.add(reason.get(), entry.label());
      } else if (entry.bytes() == 0) {
        skips.add(SkipReason.EMPTY, entry.label());
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
      if (path.equals(folder) || !isHidden(String.valueOf(path.getFileName()))) {
        return FileVisitResult.CONTINUE;
      }
      found.skips.add(SkipReason.HIDDEN, path.toString());
      return FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Optional<SkipReason> reason = skipReason(file);
      if (reason.isPresent()) {
        found.skips.add(reason.get(), file.toString());
      } else {
        // A path's text depends on the locale and the platform; its URI does not.
        String name = root.relativize(file.toUri()).getPath();
        found.add(Entry.ofFile(name, file, Files.size(file)));
      }
      return FileVisitResult.CONTINUE;
    }

    private static Optional<SkipReason> skipReason(Path file) {
      if (isHidden(String.valueOf(file.getFileName()))) {
        return Optional.of(SkipReason.HIDDEN);
      }
      if (Files.isRegularFile(file)) {
        return Optional.empty();
      }
      if (Files.isDirectory(file)) {
        return Optional.of(SkipReason.FOLDER_LINK);
      }
      return Optional.of(Files.exists(file) ? SkipReason.SPECIAL : SkipReason.BROKEN_LINK);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      throw UnusableInput.reading(file.toString(), failure);
    }
  }
}
