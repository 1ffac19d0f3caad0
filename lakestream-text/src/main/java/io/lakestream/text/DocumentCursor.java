// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lakestream.model.InvalidRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A place in a share of documents, from which they are read one after the other. For use by one
 * thread. Positions are those of files and lines that may hold text; a share has every n-th.
 */
public final class DocumentCursor implements AutoCloseable {
  /** The trail of a cursor that has begun no file. */
  static final String NO_TRAIL = Fingerprint.of(new CRC32());

  private final Listing listing;
  private final String textField;
  private final int share;
  private final int shares;
  private final EntryReader reader;
  private Optional<JsonLines> lines = Optional.empty();
  private final CRC32 trail = new CRC32();
  private int entriesBegun;
  private long positionsBegun;
  private final SkipLog skips;

  DocumentCursor(Listing listing, String textField, int share, int shares, SkipLog skips) {
    this.listing = listing;
    this.textField = textField;
    this.share = share;
    this.shares = shares;
    this.skips = skips;
    try {
      this.reader =
          listing.isArchive() ? EntryReader.ofArchive(listing.input()) : EntryReader.ofFiles();
    } catch (IOException e) {
      throw UnusableInput.reading(listing.input().toString(), e);
    }
  }

  /**
   * The next document, or nothing at the end.
   *
   * @throws UnusableInput if it cannot be read, is not UTF-8, too long, or not the JSON it should
   *     be
   */
  public Optional<Document> next() {
    try {
      while (advanceInShare()) {
        Optional<String> text = lines.isPresent() ? lineText(lines.get()) : fileText(entry());
        if (text.isPresent()) {
          return Optional.of(new Document((positionsBegun - 1) / shares, name(), text.get()));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw UnusableInput.reading(entry().label(), e);
    }
  }

  /** What was left out of the share so far because of its content. */
  public Skipped skipped() {
    return skips.skipped();
  }

  /**
   * Eight digits for what this cursor went past: names and lengths of all files up to the current
   * one, without the length of a current file of lines. They stay the same if more is added behind.
   */
  String trail() {
    return Fingerprint.of(trail);
  }

  /**
   * Closes the input.
   *
   * @throws UnusableInput if that fails
   */
  @Override
  public void close() {
    try (reader) {
      closeLines();
    } catch (IOException e) {
      throw UnusableInput.reading(listing.input().toString(), e);
    }
  }

  /** Goes past the given number of positions of the share. */
  void skip(long positions) {
    try {
      for (long passed = 0; passed < positions; passed++) {
        if (!advanceInShare()) {
          throw new InvalidRequest(
              "position %d is past the end of share %d of %d of %s, which has %d; resume with the"
                      .formatted(positions, share, shares, listing.input(), passed)
                  + " input and shares that the offset was made with");
        }
      }
    } catch (IOException e) {
      throw UnusableInput.reading(entry().label(), e);
    }
  }

  private boolean advanceInShare() throws IOException {
    boolean isMore = advance();
    while (isMore && (positionsBegun - 1) % shares != share) {
      isMore = advance();
    }
    return isMore;
  }

  /** Goes to the next file, or line of a file of lines; false at the end. */
  private boolean advance() throws IOException {
    while (true) {
      if (lines.isPresent() && lines.get().advance()) {
        positionsBegun++;
        return true;
      }
      closeLines();
      if (entriesBegun == listing.entries().size()) {
        return false;
      }
      beginEntry();
      if (!entry().isLines()) {
        positionsBegun++;
        return true;
      }
      lines =
          Optional.of(
              new JsonLines(
                  entry(), reader.stream(entry()), textField, TextBytes.DOCUMENT_BYTES_MAX));
    }
  }

  private void beginEntry() {
    if (entriesBegun > 0 && entry().isLines()) {
      addToTrail(Long.toString(entry().bytes()));
    }
    entriesBegun++;
    addToTrail(entry().name());
    if (!entry().isLines()) {
      addToTrail(Long.toString(entry().bytes()));
    }
  }

  private void addToTrail(String part) {
    trail.update((part + "\n").getBytes(UTF_8));
  }

  private Entry entry() {
    return listing.entries().get(entriesBegun - 1);
  }

  private String name() {
    return lines.map(l -> entry().name() + "#" + l.line()).orElseGet(() -> entry().name());
  }

  private Optional<String> lineText(JsonLines current) {
    Optional<String> text = current.text();
    if (text.isEmpty()) {
      skips.add(SkipReason.EMPTY_LINE, current.where());
    }
    return text;
  }

  private Optional<String> fileText(Entry entry) throws IOException {
    byte[] bytes = reader.bytes(entry, TextBytes.DOCUMENT_BYTES_MAX);
    Optional<SkipReason> reason = TextBytes.skipReason(bytes, entry.label());
    if (reason.isPresent()) {
      skips.add(reason.get(), entry.label());
      return Optional.empty();
    }
    return Optional.of(TextBytes.decode(bytes, entry.label(), 0));
  }

  private void closeLines() throws IOException {
    if (lines.isPresent()) {
      lines.get().close();
      lines = Optional.empty();
    }
  }
}
