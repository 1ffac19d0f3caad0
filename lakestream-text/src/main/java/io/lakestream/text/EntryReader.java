// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Opens the entries of one input. Holds its archive open, if it is one. */
final class EntryReader implements Closeable {
  private final Optional<ZipFile> archive;

  private EntryReader(Optional<ZipFile> archive) {
    this.archive = archive;
  }

  /** For entries that are files of their own. */
  static EntryReader ofFiles() {
    return new EntryReader(Optional.empty());
  }

  /**
   * For entries inside an archive.
   *
   * @throws UnusableInput if the file is not one
   */
  static EntryReader ofArchive(Path file) throws IOException {
    return new EntryReader(Optional.of(openArchive(file)));
  }

  /**
   * An archive, opened.
   *
   * @throws UnusableInput if the file is not one
   */
  static ZipFile openArchive(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      // Opening it would say so in words that programs cannot tell apart.
      throw new AccessDeniedException(file.toString());
    }
    try {
      return new ZipFile(file.toFile());
    } catch (ZipException e) {
      throw new UnusableInput(
          "%s is not a readable zip file (%s); fetch or make it again"
              .formatted(file, e.getMessage()));
    }
  }

  /** The bytes of an entry, one after the other. */
  InputStream stream(Entry entry) throws IOException {
    if (archive.isEmpty()) {
      return Files.newInputStream(entry.file());
    }
    ZipEntry zipEntry = archive.get().getEntry(entry.name());
    if (zipEntry == null) {
      throw new NoSuchFileException(entry.label());
    }
    return new VerifiedStream(archive.get().getInputStream(zipEntry), zipEntry.getCrc());
  }

  /**
   * The bytes of an entry, all at once.
   *
   * @throws UnusableInput if there are more than {@code bytesMax}
   */
  byte[] bytes(Entry entry, int bytesMax) throws IOException {
    try (InputStream stream = stream(entry)) {
      byte[] bytes = stream.readNBytes(bytesMax + 1);
      if (bytes.length > bytesMax) {
        throw entry.tooLong(0, bytesMax);
      }
      return bytes;
    }
  }

  @Override
  public void close() throws IOException {
    if (archive.isPresent()) {
      archive.get().close();
    }
  }

  /** Compares the checksum at the end, which the library leaves out. */
  private static final class VerifiedStream extends CheckedInputStream {
    private final long expected;

    VerifiedStream(InputStream stream, long expected) {
      super(stream, new CRC32());
      this.expected = expected;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      int count = super.read(target, from, length);
      if (count < 0 && getChecksum().getValue() != expected) {
        throw new ZipException(
            "checksum %08x instead of %08x".formatted(getChecksum().getValue(), expected));
      }
      return count;
    }
  }
}
