// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.lakestream.format.proto.NodeMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * An object that refers to {@link FormatLimits#FAN_OUT} segments or nodes. Written only when full,
 * never rewritten.
 *
 * @param level 1 if its children are segments, n if they are nodes of level n−1
 * @param index position among the nodes of its level
 * @param childHashes the content hashes of its children, consecutive
 */
public record IndexNode(int level, long index, List<Id128> childHashes) {
  private static final int SECTION = 1;

  public IndexNode {
    childHashes = List.copyOf(childHashes);
    if (level < 1 || childHashes.size() != FormatLimits.FAN_OUT) {
      throw new AssertionError(
          "a node of level %d with %d children".formatted(level, childHashes.size()));
    }
  }

  /** The reference to the child that covers a step of this node. */
  public SegmentTree.Reference childAt(long step) {
    long child = step / SegmentTree.width(level - 1);
    int position = Math.toIntExact(child - index * FormatLimits.FAN_OUT);
    return new SegmentTree.Reference(level - 1, child, childHashes.get(position));
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
    Section section = Envelope.decode(key, ObjectKind.NODE, namespace, bytes).single(key);
    try {
      NodeMessage message = NodeMessage.parseFrom(section.body());
      List<Id128> hashes = SegmentTree.unpacked(key, message.getChildHashes());
      if (message.getLevel() != reference.level()
          || message.getIndex() != reference.index()
          || hashes.size() != FormatLimits.FAN_OUT) {
        throw new CorruptObject(key, "its content", reference.toString(), "another node");
      }
      return new IndexNode(message.getLevel(), message.getIndex(), hashes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptObject(key, "its content", "an index node", e.getMessage() + "");
    }
  }
}
