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

  TokenStream(Documents documents, Tokenizer tokenizer, TextOffset from) {
    this.tokenizer = tokenizer;
    this.offset = from;
    this.document = new Document(from.document(), "", "");
    this.cursor = documents.open(from.document());
    try {
      start(from);
    } catch (RuntimeException e) {
      cursor.close();
      throw e;
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
        isEnd
            ? new TextOffset(document.index() + 1, 0)
            : new TextOffset(document.index(), position);
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
    if (from.token() > 0) {
      if (!hasNext() || document.index() != from.document() || from.token() >= tokens.length) {
        throw new InvalidRequest(
            "offset %s is past the end of its document; resume with the input, shares and tokenizer"
                    .formatted(from)
                + " that the offset was made with");
      }
      position = from.token();
    }
  }
}
