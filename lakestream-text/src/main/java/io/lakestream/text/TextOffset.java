// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.InvalidRequest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to go on: the next token to be read. Written as {@code document:token}.
 *
 * @param document position in the share
 * @param token index among the document's tokens, of which the last ends the text
 */
record TextOffset(long document, int token) {
  static final TextOffset START = new TextOffset(0, 0);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}):([0-9]{1,9})");

  static TextOffset parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new InvalidRequest(
          "an offset of packed text is written document:token, such as 12:345, not '%s'"
              .formatted(text));
    }
    return new TextOffset(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  @Override
  public String toString() {
    return document + ":" + token;
  }
}
