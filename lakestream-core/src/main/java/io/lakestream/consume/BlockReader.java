// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.format.Checksum;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Footer;
import io.lakestream.format.ImageLocation.ObjectRange;
import io.lakestream.format.SliceIndex;
import io.lakestream.format.SliceTrailer;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Tgb;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads several slices of a step, or some of their blocks: what lies side by side in one range, up
 * to the length of a buffer. Safe for use by several threads.
 */
final class BlockReader {
  private final SliceReader reader;

  BlockReader(SliceReader reader) {
    this.reader = reader;
  }

  /**
   * A stored block.
   *
   * @param slice its slice's position in (d,c) order
   * @param index its position in the slice
   */
  record Block(int slice, int index) implements Comparable<Block> {
    private static final Comparator<Block> ORDER =
        Comparator.comparingInt(Block::slice).thenComparingInt(Block::index);

    @Override
    public int compareTo(Block other) {
      return ORDER.compare(this, other);
    }
  }

  /** Parts of an image that lie side by side and are read at once. */
  private record Run(long offset, TreeMap<Block, SliceIndex.Range> parts) {
    private long end() {
      SliceIndex.Range last = parts.lastEntry().getValue();
      return last.offset() + last.length();
    }

    private boolean isFollowedBy(SliceIndex.Range place) {
      return place.offset() == end()
          && place.offset() + place.length() - offset <= Tgb.Slice.BYTES_MAX;
    }

    private SliceIndex.Range range() {
      return new SliceIndex.Range(offset, end() - offset);
    }
  }

  /**
   * All blocks of whole slices, each checked by the trailer of its slice.
   *
   * @param slices positions in (d,c) order, ascending
   * @return empty if an object that should have them is missing
   */
  Optional<Map<Block, ByteBuffer>> slices(Descriptor descriptor, List<Integer> slices)
      throws IOException {
    Optional<SliceIndex> index = reader.index(descriptor);
    if (index.isEmpty()) {
      return Optional.empty();
    }
    String key = SliceReader.key(descriptor);
    TreeMap<Block, SliceIndex.Range> places = new TreeMap<>();
    slices.forEach(slice -> places.put(new Block(slice, 0), index.get().locate(() -> key, slice)));
    Map<Block, ByteBuffer> found = new TreeMap<>();
    boolean isComplete =
        read(
            descriptor,
            places,
            (slice, place, bytes) -> {
              List<ByteBuffer> blocks = SliceTrailer.check(place.key(), place.offset(), bytes);
              for (int i = 0; i < blocks.size(); i++) {
                found.put(new Block(slice.slice(), i), blocks.get(i));
              }
            });
    return isComplete ? Optional.of(found) : Optional.empty();
  }

  /**
   * Some blocks, each checked by its checksum in the footer.
   *
   * @return empty if an object that should have them is missing
   */
  Optional<Map<Block, ByteBuffer>> blocks(Descriptor descriptor, Footer footer, List<Block> wanted)
      throws IOException {
    TreeMap<Block, SliceIndex.Range> places = new TreeMap<>();
    for (Block block : wanted) {
      Footer.StoredSlice slice = footer.slices().get(block.slice());
      long before =
          slice.blockLengths().stream().limit(block.index()).mapToLong(Integer::longValue).sum();
      places.put(
          block,
          new SliceIndex.Range(slice.offset() + before, slice.blockLengths().get(block.index())));
    }
    Map<Block, ByteBuffer> found = new TreeMap<>();
    boolean isComplete =
        read(
            descriptor,
            places,
            (block, place, bytes) -> {
              int crc = footer.slices().get(block.slice()).blockCrcs().get(block.index());
              check(place, crc, bytes);
              found.put(block, bytes);
            });
    return isComplete ? Optional.of(found) : Optional.empty();
  }

  private static void check(ObjectRange place, int crc, ByteBuffer bytes) {
    int found = Checksum.of(bytes);
    if (found != crc) {
      throw new CorruptObject(
          place.key(),
          "bytes %d-%d".formatted(place.offset(), place.offset() + place.length() - 1),
          Checksum.text(crc),
          Checksum.text(found));
    }
  }

  /** What is done with a part that was read. */
  @FunctionalInterface
  private interface Sink {
    void take(Block part, ObjectRange place, ByteBuffer bytes);
  }

  /** Reads places in ascending order; false if an object is missing. */
  private boolean read(Descriptor descriptor, SortedMap<Block, SliceIndex.Range> places, Sink sink)
      throws IOException {
    for (Run run : runs(places)) {
      Optional<ByteBuffer> bytes = reader.read(descriptor, run.range());
      if (bytes.isEmpty()) {
        return false;
      }
      int start = bytes.get().position();
      for (Map.Entry<Block, SliceIndex.Range> part : run.parts().entrySet()) {
        int skipped = Math.toIntExact(part.getValue().offset() - run.offset());
        int length = Math.toIntExact(part.getValue().length());
        ObjectRange place = descriptor.locate(part.getValue()).get(0);
        sink.take(part.getKey(), place, bytes.get().slice(start + skipped, length));
      }
    }
    return true;
  }

  private static List<Run> runs(SortedMap<Block, SliceIndex.Range> places) {
    List<Run> runs = new ArrayList<>();
    places.forEach(
        (block, place) -> {
          if (runs.isEmpty() || !runs.get(runs.size() - 1).isFollowedBy(place)) {
            runs.add(new Run(place.offset(), new TreeMap<>()));
          }
          runs.get(runs.size() - 1).parts().put(block, place);
        });
    return runs;
  }
}
