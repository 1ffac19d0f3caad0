// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.InvalidRequest;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * The documents of an input on disk, or a share of them, in an order that depends on names only.
 * Nothing is read before it is asked for, and one document at a time. The input must not change
 * while it is in use, from the first reading of a run to the last resumption, except that more may
 * be added behind what was read: files that sort later, or lines to the last file of lines.
 *
 * <p>An input is a folder, whose files are taken recursively; a {@code .zip} or {@code .jar}; or
 * any other single file. Files are sorted by their path below the input, compared character by
 * character with {@code /} between parts. Each file is one document, except that each line of a
 * {@code .jsonl} or {@code .ndjson} file is one, wherever that file is.
 *
 * <p>Left out, counted and named in the log is what {@link SkipReason} tells: among others what is
 * hidden, archives inside a folder or an archive, and binary files. These have a suffix known for
 * it, such as {@code .class} or {@code .png}, or a NUL byte among their first 8 KiB. Everything
 * else must be UTF-8 and is taken as it is, byte order marks and all; text in another encoding is
 * an error.
 */
public final class Documents {
  private static final String TEXT_FIELD_DEFAULT = "text";

  private final Listing listing;
  private final String textField;
  private final int index;
  private final int of;

  private Documents(Listing listing, String textField, int index, int of) {
    this.listing = listing;
    this.textField = textField;
    this.index = index;
    this.of = of;
  }

  /** The documents of an input; those of JSON lines are in their field {@code text}. */
  public static Documents of(Path input) {
    return of(input, TEXT_FIELD_DEFAULT);
  }

  /**
   * The documents of an input.
   *
   * @param textField the field of JSON lines that holds their text
   * @throws InvalidRequest if there is no such input
   * @throws UnusableInput if it cannot be read, or it holds no text at all
   */
  public static Documents of(Path input, String textField) {
    checkExists(input);
    Documents documents = new Documents(list(input), textField, 0, 1);
    documents.checkHoldsText();
    return documents;
  }

  /**
   * Every {@code of}-th document, for one of {@code of} producers. Shares are disjoint and make up
   * the whole; with more shares than documents, some are empty.
   *
   * @param index which share, from 0
   * @throws InvalidRequest if there is no such share, or this is a share already
   */
  public Documents share(int index, int of) {
    if (of < 1 || index < 0 || index >= of) {
      throw new InvalidRequest(
          "share %d of %d does not exist; shares are numbered from 0".formatted(index, of));
    }
    if (this.of != 1) {
      throw new InvalidRequest(
          "this is share %d of %d; take shares of the whole input".formatted(this.index, this.of));
    }
    return new Documents(listing, textField, index, of);
  }

  /**
   * Starts reading at the first document.
   *
   * @throws UnusableInput if the archive that has the documents cannot be read
   */
  public DocumentCursor open() {
    return open(0);
  }

  /**
   * Starts reading at a position of this share, which may be its end.
   *
   * @throws InvalidRequest if the position is beyond the end
   * @throws UnusableInput if what comes before the position cannot be read
   */
  public DocumentCursor open(long position) {
    DocumentCursor cursor = new DocumentCursor(listing, textField, index, of, SkipLog.naming());
    try {
      cursor.skip(position);
      return cursor;
    } catch (RuntimeException e) {
      try (cursor) {
        throw e;
      }
    }
  }

  /**
   * The files that names and sizes alone leave out of the input as a whole; a {@link
   * DocumentCursor} counts what reading leaves out of a share.
   */
  public Skipped skipped() {
    return listing.skipped();
  }

  /** What decides which texts are documents of this share, apart from the files that are there. */
  String identity() {
    return "share " + index + " of " + of + ", field " + textField;
  }

  private static void checkExists(Path input) {
    try {
      var attributes = Files.readAttributes(input, BasicFileAttributes.class);
      if (!attributes.isDirectory() && !attributes.isRegularFile()) {
        throw new InvalidRequest(
            "%s is neither a file nor a folder; save its content to a file".formatted(input));
      }
    } catch (AccessDeniedException e) {
      throw UnusableInput.reading(input.toString(), e);
    } catch (IOException e) {
      throw new InvalidRequest("there is no file or folder %s; check the path".formatted(input));
    }
  }

  private static Listing list(Path input) {
    try {
      return Listing.of(input);
    } catch (FileSystemException e) {
      throw UnusableInput.reading(Objects.requireNonNullElse(e.getFile(), input.toString()), e);
    } catch (IOException e) {
      throw UnusableInput.reading(input.toString(), e);
    }
  }

  private void checkHoldsText() {
    try (DocumentCursor cursor =
        new DocumentCursor(listing, textField, index, of, SkipLog.counting())) {
      if (cursor.next().isEmpty()) {
        Skipped all = skipped().plus(cursor.skipped());
        boolean isPacked = all.counts().containsKey(SkipReason.ARCHIVE);
        throw new UnusableInput(
            "%s holds no text (skipped: %s); give it some UTF-8 text%s"
                .formatted(
                    listing.input(),
                    all.isEmpty() ? "nothing" : all,
                    isPacked ? ", or unpack it: only a .zip or .jar is read as it is" : ""));
      }
    }
  }
}
