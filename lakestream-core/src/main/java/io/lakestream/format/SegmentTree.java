// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.proto.LevelMessage;
import io.lakestream.format.proto.SegmentTreeMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A manifest's references to sealed segments, folded into index nodes of fixed fan-out. Level 0
 * refers to segments of {@link FormatLimits#SEGMENT_STEPS} aligned steps; a reference of level n
 * covers {@link FormatLimits#FAN_OUT} ranges of level n−1.
 *
 * <p>The levels cover consecutive ranges of steps, the highest level the oldest, and end where the
 * manifest's tail starts. So level n ends at a multiple of the fan-out of level n−1 as long as it
 * has a reference: every node but the first of the highest level is written full. That first one
 * may lack children, which were trimmed before it was written.
 *
 * @param levels the references of each level, from level 0 upwards; the highest is empty only if it
 *     is level 0
 * @param extra fields of a newer minor version, kept as they are
 */
public record SegmentTree(List<Level> levels, UnknownFieldSet extra) {
  /** The tree of a stream without segments. */
  public static final SegmentTree EMPTY =
      new SegmentTree(List.of(), UnknownFieldSet.getDefaultInstance());

  /** Levels that 63-bit steps can need; bounds every walk. */
  private static final int LEVELS_MAX = 12;

  /**
   * References to consecutive ranges of one width.
   *
   * @param first index of the first range, counted in ranges of this width
   * @param hashes the content hashes of the objects, which are parts of their names
   */
  public record Level(long first, List<Id128> hashes) {
    public Level {
      hashes = List.copyOf(hashes);
      if (first < 0) {
        throw new MalformedRecord("a level of the segment tree that starts at " + first);
      }
    }

    long end() {
      return Math.addExact(first, hashes.size());
    }

    Level with(Id128 hash) {
      List<Id128> more = new ArrayList<>(hashes);
      more.add(hash);
      return new Level(first, more);
    }

    Level without(int oldest) {
      return new Level(first + oldest, hashes.subList(oldest, hashes.size()));
    }
  }

  /**
   * A reference to one object.
   *
   * @param level 0 for a segment, n for an index node whose children are of level n−1
   * @param index position among the ranges of its level
   * @param hash the content hash
   */
  public record Reference(int level, long index, Id128 hash) {
    private static final Pattern KEY =
        Pattern.compile(Names.SEGMENTS + "(\\d{20})-(\\d{20})-([0-9a-f]{32})");

    /** The reference that a key was made of, if it is that of a segment or an index node. */
    public static Optional<Reference> ofKey(String key) {
      Matcher matcher = KEY.matcher(key);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      OptionalLong firstStep = Names.numberOf(matcher.group(1));
      OptionalLong lastStep = Names.numberOf(matcher.group(2));
      if (firstStep.isEmpty() || lastStep.isEmpty()) {
        return Optional.empty();
      }
      long first = firstStep.getAsLong();
      long covered = lastStep.getAsLong() - first + 1;
      Id128 hash = Id128.read(ByteBuffer.wrap(HexFormat.of().parseHex(matcher.group(3))));
      for (int level = 0; level < LEVELS_MAX; level++) {
        if (width(level) == covered && first % covered == 0) {
          return Optional.of(new Reference(level, first / covered, hash));
        }
      }
      return Optional.empty();
    }

    /** First step that it covers. */
    public long firstStep() {
      return index * width(level);
    }

    /** Last step that it covers. */
    public long lastStep() {
      return (index + 1) * width(level) - 1;
    }

    /** Key of the object. */
    public String key() {
      return Names.segment(firstStep(), lastStep(), hash);
    }
  }

  public SegmentTree {
    levels = List.copyOf(levels);
    if (levels.size() > LEVELS_MAX) {
      throw new MalformedRecord("a segment tree of " + levels.size() + " levels");
    }
    checkLevels(levels);
  }

  private static void checkLevels(List<Level> levels) {
    int highest = levels.size() - 1;
    for (int i = 0; i <= highest; i++) {
      long end = levels.get(i).end();
      if (end > Long.MAX_VALUE / width(i)) {
        throw new MalformedRecord("level %d of the segment tree ends at %d".formatted(i, end));
      }
      if (i > 0 && end * FormatLimits.FAN_OUT != levels.get(i - 1).first()) {
        throw new MalformedRecord(
            "level %d of the segment tree ends at %d, the level below starts at %d"
                .formatted(i, end, levels.get(i - 1).first()));
      }
    }
    if (highest > 0 && levels.get(highest).hashes().isEmpty()) {
      throw new MalformedRecord("an empty level %d on top of the segment tree".formatted(highest));
    }
  }

  /** Steps covered by a reference of a level. */
  public static long width(int level) {
    long width = FormatLimits.SEGMENT_STEPS;
    for (int i = 0; i < level; i++) {
      width = Math.multiplyExact(width, FormatLimits.FAN_OUT);
    }
    return width;
  }

  /** First step covered; the same as {@link #endStep} if there is no reference. */
  public long firstStep() {
    int highest = levels.size() - 1;
    return highest < 0 ? 0 : levels.get(highest).first() * width(highest);
  }

  /** One past the last step covered, or 0. */
  public long endStep() {
    return levels.isEmpty() ? 0 : levels.get(0).end() * width(0);
  }

  /** The reference that covers a step, or empty if none does. */
  public Optional<Reference> locate(long step) {
    for (int level = 0; level < levels.size(); level++) {
      long index = step / width(level);
      Level references = levels.get(level);
      if (index >= references.first() && index < references.end()) {
        Id128 hash = references.hashes().get(Math.toIntExact(index - references.first()));
        return Optional.of(new Reference(level, index, hash));
      }
    }
    return Optional.empty();
  }

  /** All references, lowest level first. */
  public List<Reference> references() {
    List<Reference> references = new ArrayList<>();
    for (int level = 0; level < levels.size(); level++) {
      Level row = levels.get(level);
      for (int i = 0; i < row.hashes().size(); i++) {
        references.add(new Reference(level, row.first() + i, row.hashes().get(i)));
      }
    }
    return references;
  }

  /** The tree with one more segment behind its last; {@code firstStep} must be where it ends. */
  public SegmentTree withSegment(long firstStep, Id128 hash) {
    long index = firstStep / width(0);
    if (firstStep % width(0) != 0 || (!levels.isEmpty() && levels.get(0).end() != index)) {
      throw new MalformedRecord(
          "a segment of step %d behind a tree that ends at %d".formatted(firstStep, endStep()));
    }
    List<Level> changed = new ArrayList<>(levels);
    if (changed.isEmpty()) {
      changed.add(new Level(index, List.of(hash)));
    } else {
      changed.set(0, changed.get(0).with(hash));
    }
    return new SegmentTree(changed, extra);
  }

  /**
   * The node that {@code level} is due to get, if the level below has a row of references to fold:
   * the oldest ones up to the end of the node's range.
   */
  public Optional<IndexNode> foldable(int level) {
    if (level < 1 || level > levels.size()) {
      return Optional.empty();
    }
    Level children = levels.get(level - 1);
    if (children.hashes().size() < FormatLimits.FAN_OUT) {
      return Optional.empty();
    }
    int trimmed = (int) (children.first() % FormatLimits.FAN_OUT);
    List<Id128> hashes = children.hashes().subList(0, FormatLimits.FAN_OUT - trimmed);
    return Optional.of(new IndexNode(level, children.first() / FormatLimits.FAN_OUT, hashes));
  }

  /** The tree with the children of a foldable node replaced by a reference to it. */
  public SegmentTree fold(IndexNode node, Id128 hash) {
    Level children = levels.get(node.level() - 1).without(node.childHashes().size());
    Level nodes =
        node.level() == levels.size()
            ? new Level(node.index(), List.of())
            : levels.get(node.level());
    List<Level> changed = new ArrayList<>(levels);
    changed.set(node.level() - 1, children);
    if (node.level() == levels.size()) {
      changed.add(nodes.with(hash));
    } else {
      changed.set(node.level(), nodes.with(hash));
    }
    return new SegmentTree(changed, extra);
  }

  /** The tree without the references that cover only steps below {@code firstStep}. */
  public SegmentTree trimmedTo(long firstStep) {
    List<Level> changed = new ArrayList<>(levels);
    for (int level = levels.size() - 1; level >= 0; level--) {
      Level row = levels.get(level);
      long dead = Math.max(0, firstStep / width(level) - row.first());
      Level kept = row.without((int) Math.min(dead, row.hashes().size()));
      changed.set(level, kept);
      if (!kept.hashes().isEmpty()) {
        break; // Everything below is newer.
      }
      if (level > 0) {
        changed.remove(level);
      }
    }
    return new SegmentTree(changed, extra);
  }

  SegmentTreeMessage toMessage() {
    SegmentTreeMessage.Builder message = SegmentTreeMessage.newBuilder();
    for (Level level : levels) {
      message.addLevels(
          LevelMessage.newBuilder()
              .setFirst(level.first())
              .setHashes(ByteString.copyFrom(packed(level.hashes()))));
    }
    return message.setUnknownFields(extra).build();
  }

  static SegmentTree fromMessage(String key, SegmentTreeMessage message) {
    List<Level> levels = new ArrayList<>();
    for (LevelMessage level : message.getLevelsList()) {
      levels.add(new Level(level.getFirst(), unpacked(key, level.getHashes())));
    }
    return new SegmentTree(levels, message.getUnknownFields());
  }

  static byte[] packed(List<Id128> hashes) {
    ByteBuffer bytes = ByteBuffer.allocate(hashes.size() * Id128.BYTES);
    hashes.forEach(hash -> bytes.putLong(hash.high()).putLong(hash.low()));
    return bytes.array();
  }

  static List<Id128> unpacked(String key, ByteString bytes) {
    if (bytes.size() % Id128.BYTES != 0) {
      throw new CorruptObject(key, "its hashes", "16 bytes each", bytes.size() + " bytes in all");
    }
    ByteBuffer source = bytes.asReadOnlyByteBuffer();
    List<Id128> hashes = new ArrayList<>(bytes.size() / Id128.BYTES);
    while (source.hasRemaining()) {
      hashes.add(Id128.read(source));
    }
    return hashes;
  }
}
