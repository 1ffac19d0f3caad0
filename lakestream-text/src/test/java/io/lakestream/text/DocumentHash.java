// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.nio.IntBuffer;
import java.util.Optional;

/** The hash of a share's tokens without the packer. */
final class DocumentHash {
  private DocumentHash() {}

  /** Encodes each document anew, with the end-of-text token after it. */
  static TokenHash of(Documents share, Tokenizer tokenizer) {
    TokenHash hash = new TokenHash();
    int[] endOfText = {tokenizer.endOfText()};
    try (DocumentCursor cursor = share.open()) {
      for (Optional<Document> next = cursor.next(); next.isPresent(); next = cursor.next()) {
        hash.add(IntBuffer.wrap(tokenizer.encode(next.get().text())));
        hash.add(IntBuffer.wrap(endOfText));
      }
    }
    return hash;
  }
}
