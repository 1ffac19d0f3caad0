// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.InvalidRequest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to go on: the next token to be read, and what the place has a meaning for. Written as
 * {@code document:token:packing:trail}.
 *
 * @param document position in the share
 * @param token index among the document's tokens, of which the last ends the text
 * @param packing {@link Fingerprint} of how it was packed
 * @param trail {@link DocumentCursor#trail} at the last document that was read
 */
record TextOffset(long document, int token, String packing, String trail) {
  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,18}):([0-9]{1,9}):([0-9a-f]{8}):([0-9a-f]{8})");

  /** The place before the first document. */
  static TextOffset start(String packing) {
    return new TextOffset(0, 0, packing, DocumentCursor.NO_TRAIL);
  }

  /**
   * Reads an offset.
   *
   * @throws InvalidRequest if it has another form, or was made with another way of packing
   */
  static TextOffset parse(String text, String packing) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new InvalidRequest(
          "an offset of packed text is written document:token:packing:trail, such as"
              + " 12:345:0badcafe:0fee1bad, not '%s'; start anew under another producer id"
                  .formatted(text));
    }
    if (!matcher.group(3).equals(packing)) {
      throw new InvalidRequest(
          ("offset %s was made with another tokenizer, shape of batches, share or text field (they"
                  + " make %s); use the same as before, or start anew under another producer id")
              .formatted(text, packing));
    }
    return new TextOffset(
        Long.parseLong(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        packing,
        matcher.group(4));
  }

  @Override
  public String toString() {
    return document + ":" + token + ":" + packing + ":" + trail;
  }
}
