// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import io.lakestream.format.proto.NodeMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * An object that refers to the {@link FormatLimits#FAN_OUT} segments or nodes of its range, or to
 * the last of them if the others were trimmed before it was written. Never rewritten.
 *
 * @param level 1 if its children are segments, n if they are nodes of level n−1
 * @param index position among the nodes of its level
 * @param childHashes the content hashes of its children, consecutive up to the end of its range
 */
public record IndexNode(int level, long index, List<Id128> childHashes) {
  private static final int SECTION = 1;

  public IndexNode {
    childHashes = List.copyOf(childHashes);
    if (level < 1 || childHashes.isEmpty() || childHashes.size() > FormatLimits.FAN_OUT) {
      throw new MalformedRecord(
          "a node of level %d with %d children".formatted(level, childHashes.size()));
    }
  }

  /**
   * The reference to the child that covers a step of this node.
   *
   * @throws CorruptObject if the node lacks it, so that its manifest should not need it
   */
  public SegmentTree.Reference childAt(long step) {
    long child = step / SegmentTree.width(level - 1);
    long position = child - (index + 1) * FormatLimits.FAN_OUT + childHashes.size();
    if (position < 0 || position >= childHashes.size()) {
      long width = SegmentTree.width(level);
      throw new CorruptObject(
          "the index node of steps %d to %d".formatted(index * width, (index + 1) * width - 1),
          "its children",
          "one for step " + step,
          childHashes.size() + " others");
    }
    return new SegmentTree.Reference(level - 1, child, childHashes.get((int) position));
  }

  /** The object's bytes. */
  public List<ByteBuffer> encode(UUID namespace) {
    NodeMessage message =
        NodeMessage.newBuilder()
            .setLevel(level)
            .setIndex(index)
            .setChildHashes(ByteString.copyFrom(SegmentTree.packed(childHashes)))
            .build();
    return new Envelope(ObjectKind.NODE, namespace, List.of(Section.of(SECTION, message))).encode();
  }

  /**
   * The node in an object's bytes.
   *
   * @throws CorruptObject if it is not the node that {@code reference} means
   */
  public static IndexNode decode(
      SegmentTree.Reference reference, UUID namespace, ByteBuffer bytes) {
    String key = reference.key();
    Envelope envelope = Envelope.decode(key, ObjectKind.NODE, namespace, bytes);
    return Decoding.of(
        key,
        "its content",
        reference.toString(),
        () -> {
          NodeMessage message = NodeMessage.parseFrom(envelope.section(key, SECTION).body());
          if (message.getLevel() != reference.level() || message.getIndex() != reference.index()) {
            throw new MalformedRecord(
                "node %d of level %d".formatted(message.getIndex(), message.getLevel()));
          }
          List<Id128> hashes = SegmentTree.unpacked(key, message.getChildHashes());
          return new IndexNode(message.getLevel(), message.getIndex(), hashes);
        });
  }
}
