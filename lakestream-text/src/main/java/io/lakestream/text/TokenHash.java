// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.InvalidRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.List;

/**
 * SHA-256 over token ids in order, each as 32 bits, little-endian. Two ways lead to it: from the
 * documents, by encoding them again without the packer, and from the batches that a trainer read.
 * Equal hashes mean that every token arrived, once and in order. For use by one thread.
 */
public final class TokenHash {
  private static final int BUFFER_TOKENS = 16 * 1024;

  private final Sha256 hash = new Sha256();
  private final ByteBuffer bytes =
      ByteBuffer.allocate(BUFFER_TOKENS * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long tokens;

  /** The hash of no tokens. */
  public TokenHash() {}

  /** Adds the remaining tokens of a buffer, whose position stays where it is. */
  public TokenHash add(IntBuffer ids) {
    IntBuffer source = ids.duplicate();
    tokens += source.remaining();
    while (source.hasRemaining()) {
      int count = Math.min(BUFFER_TOKENS, source.remaining());
      bytes.clear().asIntBuffer().put(source.slice(source.position(), count));
      source.position(source.position() + count);
      hash.add(bytes.limit(count * Integer.BYTES));
    }
    return this;
  }

  /**
   * Adds the real tokens of one batch.
   *
   * @param replicas what each of the D replicas has of it, in order
   */
  public TokenHash addBatch(List<ReplicaTokens> replicas) {
    for (ReplicaTokens replica : replicas) {
      IntBuffer lengths = replica.rowLengths().duplicate();
      int sequenceLength = replica.sequenceLength();
      int start = replica.tokens().position();
      while (lengths.hasRemaining()) {
        int length = lengths.get();
        if (length < 0 || length > sequenceLength) {
          throw new InvalidRequest(
              "a row of %d tokens cannot have %d real ones; pass row_lengths of the same batch"
                  .formatted(sequenceLength, length));
        }
        add(replica.tokens().slice(start, length));
        start += sequenceLength;
      }
    }
    return this;
  }

  /** How many tokens were added. */
  public long tokens() {
    return tokens;
  }

  /** The hash so far, in hexadecimal. More may be added afterwards. */
  public String hex() {
    return hash.hex();
  }
}
