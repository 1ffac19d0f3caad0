// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes and reads inputs. */
final class Inputs {
  private Inputs() {}

  static Path write(Path file, String text) {
    return write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  static Path write(Path file, byte[] bytes) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A zip file of names and texts in turn; a name that ends in a slash is a folder. */
  static Path zip(Path file, String... namesAndTexts) {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
        zip.write(namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All documents that are left. */
  static List<Document> drain(DocumentCursor cursor) {
    List<Document> documents = new ArrayList<>();
    Optional<Document> next = cursor.next();
    while (next.isPresent()) {
      documents.add(next.get());
      next = cursor.next();
    }
    return documents;
  }

  /** All documents, each as {@code index name text}. */
  static List<String> read(Documents documents) {
    try (DocumentCursor cursor = documents.open()) {
      return drain(cursor).stream().map(d -> d.index() + " " + d.name() + " " + d.text()).toList();
    }
  }
}
