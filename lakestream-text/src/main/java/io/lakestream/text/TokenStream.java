// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.InvalidRequest;
import java.util.Optional;

/** The tokens of a share, document after document, each with the end-of-text token after it. */
final class TokenStream implements AutoCloseable {
  private static final int[] NONE = {};

  private final DocumentCursor cursor;
  private final Tokenizer tokenizer;
  private Document document;
  private int[] tokens = NONE;
  private int position;
  private TextOffset offset;
  private String trail;

  TokenStream(Documents documents, Tokenizer tokenizer, TextOffset from) {
    this.tokenizer = tokenizer;
    this.offset = from;
    this.trail = from.trail();
    this.document = new Document(from.document(), "", "");
    this.cursor = documents.open(from.document());
    try {
      start(from);
    } catch (RuntimeException e) {
      try (cursor) {
        throw e;
      }
    }
  }

  /** Whether there is a token left; reads the next document if it takes that to know. */
  boolean hasNext() {
    while (position == tokens.length) {
      Optional<Document> next = cursor.next();
      if (next.isEmpty()) {
        return false;
      }
      document = next.get();
      trail = cursor.trail();
      tokens = tokenizer.encodeDocument(document.text());
      position = 0;
    }
    return true;
  }

  /** The document of the next token. */
  Document document() {
    return document;
  }

  /** All tokens of that document. */
  int[] tokens() {
    return tokens;
  }

  /** Index of the next token in its document. */
  int position() {
    return position;
  }

  /** Goes past tokens of the document; true if that was its end. */
  boolean pass(int count) {
    position += count;
    boolean isEnd = position == tokens.length;
    offset =
        new TextOffset(
            isEnd ? document.index() + 1 : document.index(),
            isEnd ? 0 : position,
            offset.packing(),
            trail);
    return isEnd;
  }

  /** Where the next token is, as far as reading has gone. */
  TextOffset offset() {
    return offset;
  }

  /** What was left out so far because of its content. */
  Skipped skipped() {
    return cursor.skipped();
  }

  @Override
  public void close() {
    cursor.close();
  }

  private void start(TextOffset from) {
    boolean isMore = from.token() > 0 && hasNext();
    if (!cursor.trail().equals(from.trail())) {
      throw new InvalidRequest(
          ("offset %s was made with another input: files before that place were added, renamed,"
                  + " changed or taken away; give the input as it was, or start anew under another"
                  + " producer id")
              .formatted(from));
    }
    if (from.token() > 0) {
      if (!isMore || document.index() != from.document() || from.token() >= tokens.length) {
        throw new InvalidRequest(
            "offset %s is past the end of its document; resume with the input that it was made with"
                .formatted(from));
      }
      position = from.token();
    }
  }
}
