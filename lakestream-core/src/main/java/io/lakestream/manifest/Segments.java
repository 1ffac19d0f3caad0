// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.Id128;
import io.lakestream.format.IndexNode;
import io.lakestream.format.SegmentTree;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.DataLoss;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * The sealed segments and index nodes of a namespace, read and kept for a while. For use by one
 * thread.
 */
final class Segments {
  /** Nodes kept: a path of any tree with room for a neighbour each. */
  private static final int NODES_KEPT = 16;

  /** Segments kept: the one being read and the next. */
  private static final int SEGMENTS_KEPT = 4;

  private final SegmentReader reader;
  private final RecentMap<Id128, IndexNode> nodes = new RecentMap<>(NODES_KEPT);
  private final RecentMap<Id128, List<DescriptorBlock>> segments = new RecentMap<>(SEGMENTS_KEPT);

  /** The segments of the namespace with this uuid in a store. */
  public Segments(ObjectStore store, UUID namespace) {
    this.reader = new SegmentReader(store, namespace);
  }

  /**
   * The block that has the descriptor of a step, by way of a tree.
   *
   * @throws MissingObject if an object on the way is gone
   * @throws CorruptObject if an object on the way is not what its reference means
   */
  DescriptorBlock find(SegmentTree tree, long step) throws IOException, MissingObject {
    SegmentTree.Reference reference =
        tree.locate(step).orElseThrow(() -> new DataLoss("no segment has step %d".formatted(step)));
    while (reference.level() > 0) {
      reference = node(reference).childAt(step);
    }
    return segment(reference).stream()
        .filter(block -> block.endStep() > step)
        .findFirst()
        .orElseThrow();
  }

  private IndexNode node(SegmentTree.Reference reference) throws IOException, MissingObject {
    return nodes
        .get(reference.hash(), () -> reader.node(reference))
        .orElseThrow(() -> new MissingObject(reference.key()));
  }

  private List<DescriptorBlock> segment(SegmentTree.Reference reference)
      throws IOException, MissingObject {
    return segments
        .get(reference.hash(), () -> reader.blocks(reference))
        .orElseThrow(() -> new MissingObject(reference.key()));
  }
}
