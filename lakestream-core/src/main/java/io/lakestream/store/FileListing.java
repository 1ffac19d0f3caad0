// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * One page of the listing of a {@link FileStore}.
 *
 * <p>Folders are walked depth first, the names in each in ascending order. The continuation is the
 * last key of a page, and the walk resumes behind it; so a page needs no state, and what appears or
 * vanishes between two pages shifts nothing. Only the first names behind the continuation are kept
 * while a folder is read, so that memory is bounded by the page and not by the folder.
 */
final class FileListing {
  private final Predicate<String> isHidden;
  private final int pageSize;
  private final int namesAtOnce;
  private final List<ObjectEntry> entries = new ArrayList<>();

  /**
   * A page of at most {@code pageSize} entries.
   *
   * @param isHidden tells the names of files and folders to pass over
   */
  FileListing(int pageSize, Predicate<String> isHidden) {
    this.pageSize = pageSize;
    // One more than fit, so that a full page knows whether another follows.
    this.namesAtOnce = pageSize + 1;
    this.isHidden = isHidden;
  }

  /**
   * Lists what lies below {@code folder}.
   *
   * @param prefix what the keys in it start with: empty or ending in {@code /}
   * @param continuation the last key of the page before, or empty
   */
  ListPage page(Path folder, String prefix, Optional<String> continuation) throws IOException {
    String behind = continuation.map(key -> key.substring(prefix.length())).orElse("");
    boolean isComplete = walk(folder, prefix, behind);
    return new ListPage(
        entries,
        isComplete ? Optional.empty() : Optional.of(entries.get(entries.size() - 1).key()));
  }

  /** Walks {@code folder} from behind a key relative to it; false if the page is full before. */
  private boolean walk(Path folder, String prefix, String behind) throws IOException {
    String first = Keys.firstPart(behind);
    if (first.length() < behind.length()
        && !visitFolder(folder, prefix, first, behind.substring(first.length() + 1))) {
      return false;
    }
    String last = first;
    while (true) {
      NavigableSet<String> names = namesBehind(folder, last);
      for (String name : names) {
        if (!visit(folder, prefix, name)) {
          return false;
        }
      }
      if (names.size() < namesAtOnce) {
        return true;
      }
      last = names.last();
    }
  }

  private boolean visit(Path folder, String prefix, String name) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes =
          Files.readAttributes(
              folder.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return true;
    }
    if (attributes.isDirectory()) {
      return visitFolder(folder, prefix, name, "");
    }
    if (attributes.isRegularFile()) {
      if (entries.size() == pageSize) {
        return false;
      }
      entries.add(new ObjectEntry(prefix + name, attributes.size()));
    }
    return true;
  }

  private boolean visitFolder(Path folder, String prefix, String name, String behind)
      throws IOException {
    return walk(folder.resolve(name), prefix + name + "/", behind);
  }

  /** The first names that come behind {@code last}, a page and one; none in an absent folder. */
  private NavigableSet<String> namesBehind(Path folder, String last) throws IOException {
    NavigableSet<String> names = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        if (name.compareTo(last) > 0 && !isHidden.test(name)) {
          names.add(name);
          if (names.size() > namesAtOnce) {
            names.pollLast();
          }
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return new TreeSet<>();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }
}
