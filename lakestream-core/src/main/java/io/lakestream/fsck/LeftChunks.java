// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Chunk;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.Id128;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was in chunks of descriptors when they left the tail for a segment, as hashes, to be
 * compared with the segment: a few bytes for each chunk of the stream.
 */
final class LeftChunks {
  private final TreeMap<Long, Left> chunks = new TreeMap<>();

  private record Left(long version, int count, Id128 hash) {}

  /** A chunk that was in a version and is not in the next any more. */
  void add(long version, Chunk chunk) {
    chunks.put(chunk.firstStep(), new Left(version, chunk.count(), hash(chunk)));
  }

  /**
   * Compares a chunk of a segment with what left the tail.
   *
   * @return the version that had something else, or empty
   */
  Optional<Long> contradiction(DescriptorBlock block) {
    Left left = chunks.get(block.firstStep());
    if (left == null) {
      return Optional.empty();
    }
    boolean isSame =
        block.descriptors().size() >= left.count()
            && hash(Chunk.of(start(block, left.count()))).equals(left.hash());
    return isSame ? Optional.empty() : Optional.of(left.version());
  }

  private static DescriptorBlock start(DescriptorBlock block, int count) {
    return new DescriptorBlock(
        block.firstStep(), block.descriptors().subList(0, count), block.extra());
  }

  private static Id128 hash(Chunk chunk) {
    return Id128.hashOf(List.of(chunk.section().body()));
  }
}
