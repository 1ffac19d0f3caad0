// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.InvalidRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The ranks of a byte pair encoding in the format of OpenAI's tiktoken.
 *
 * @param ids ids by token: 0 to n−1, each once, with every single byte among the tokens
 * @param sha256 hash of the file
 */
record TiktokenRanks(IdentityHashMap<byte[], Integer> ids, String sha256) {
  private static final int BYTE_VALUES = 256;

  /** Reads a file. */
  static TiktokenRanks read(Path file) {
    byte[] content = content(file);
    IdentityHashMap<byte[], Integer> ids = new IdentityHashMap<>();
    Set<ByteBuffer> tokens = new HashSet<>();
    int singleBytes = 0;
    for (String text : TextBytes.decode(content, file.toString(), 0).lines().toList()) {
      int line = ids.size() + 1;
      byte[] token = token(file, line, text);
      if (!tokens.add(ByteBuffer.wrap(token))) {
        throw badLine(file, line, "its token was there before");
      }
      ids.put(token, line - 1);
      singleBytes += token.length == 1 ? 1 : 0;
    }
    if (singleBytes != BYTE_VALUES) {
      throw new UnusableInput(
          "%s has ranks for %d of the 256 single bytes, so it cannot encode every text; use a whole"
                  .formatted(file, singleBytes)
              + " .tiktoken file");
    }
    return new TiktokenRanks(ids, new Sha256().add(content).hex());
  }

  private static byte[] content(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new InvalidRequest("there is no ranks file %s; check the path".formatted(file));
    }
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw UnusableInput.reading(file.toString(), e);
    }
  }

  private static byte[] token(Path file, int line, String text) {
    int blank = text.indexOf(' ');
    if (blank < 1 || !text.substring(blank + 1).equals(Integer.toString(line - 1))) {
      throw badLine(file, line, "its rank is not " + (line - 1));
    }
    try {
      return Base64.getDecoder().decode(text.substring(0, blank));
    } catch (IllegalArgumentException e) {
      throw badLine(file, line, "its token is not Base64");
    }
  }

  private static UnusableInput badLine(Path file, int line, String why) {
    return new UnusableInput(
        "%s line %d is not a token in Base64 and its rank (%s); ranks go up from 0, one a line"
            .formatted(file, line, why));
  }
}
