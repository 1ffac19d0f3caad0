// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.Id128;
import io.lakestream.format.IndexNode;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.model.CorruptObject;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the sealed segments and index nodes of a namespace, whose content must have the hash in
 * their names. All methods throw {@link CorruptObject} if an object is not what its reference
 * means.
 */
public final class SegmentReader {
  private final ObjectStore store;
  private final UUID namespace;

  /** Reads those of the namespace with this uuid in a store. */
  public SegmentReader(ObjectStore store, UUID namespace) {
    this.store = store;
    this.namespace = namespace;
  }

  /** An index node, or empty if it is gone. */
  public Optional<IndexNode> node(Reference reference) throws IOException {
    return read(reference).map(bytes -> IndexNode.decode(reference, namespace, bytes));
  }

  /** The blocks of a segment, or empty if it is gone. */
  public Optional<List<DescriptorBlock>> blocks(Reference reference) throws IOException {
    return read(reference).map(bytes -> blocks(reference, bytes));
  }

  private List<DescriptorBlock> blocks(Reference reference, ByteBuffer bytes) {
    return Segment.decode(reference, namespace, bytes).chunks().stream()
        .map(chunk -> chunk.decode(reference.key()))
        .toList();
  }

  private Optional<ByteBuffer> read(Reference reference) throws IOException {
    Optional<ByteBuffer> bytes = store.read(reference.key());
    if (bytes.isPresent()) {
      Id128 found = Id128.hashOf(List.of(bytes.get()));
      if (!found.equals(reference.hash())) {
        throw new CorruptObject(
            reference.key(), "its content", "hash " + reference.hash(), "hash " + found);
      }
    }
    return bytes;
  }
}
