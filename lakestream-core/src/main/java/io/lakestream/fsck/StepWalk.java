// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Chunk;
import io.lakestream.format.Descriptor;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.Id128;
import io.lakestream.format.IndexNode;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.model.CorruptObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Visits the steps of a head in order, by way of its index nodes and segments, which must be there,
 * hash to their names and have what was in the tails before them.
 */
final class StepWalk {
  private final ManifestLog log;
  private final Findings findings;
  private final LeftChunks left;
  private final Manifest head;
  private final Visitor visitor;
  private final Set<String> referenced = new TreeSet<>();

  /** What is done with steps. */
  interface Visitor {
    /**
     * A step.
     *
     * @param holder key of the object that has its descriptor
     */
    void step(String holder, long step, Descriptor descriptor)
        throws IOException, InterruptedException;

    /** Steps cannot be visited, since what has their descriptors is missing or damaged. */
    void unreadable();
  }

  StepWalk(ManifestLog log, Findings findings, LeftChunks left, Manifest head, Visitor visitor) {
    this.log = log;
    this.findings = findings;
    this.left = left;
    this.head = head;
    this.visitor = visitor;
  }

  /** Keys of the segments and nodes that were met, whether or not they were there. */
  Set<String> referenced() {
    return referenced;
  }

  void run() throws IOException, InterruptedException {
    List<Reference> references = new ArrayList<>(head.tree().references());
    references.sort(Comparator.comparingLong(Reference::firstStep));
    for (Reference reference : references) {
      visit(reference);
    }
    String holder = Names.manifest(head.version());
    for (Chunk chunk : head.chunks()) {
      Subject subject = Subject.version(Invariant.I1, head.version());
      visit(holder, findings.expect(subject, () -> Optional.of(chunk.decode(holder))));
    }
  }

  private void visit(Reference reference) throws IOException, InterruptedException {
    if (reference.lastStep() < head.header().firstStep()) {
      return;
    }
    boolean unused = referenced.add(reference.key());
    if (reference.level() > 0) {
      for (Reference child : children(reference)) {
        visit(child);
      }
      return;
    }
    Optional<List<DescriptorBlock>> blocks =
        findings.expect(subject(reference), () -> read(reference).map(b -> blocks(reference, b)));
    if (blocks.isEmpty()) {
      visitor.unreadable();
      return;
    }
    for (DescriptorBlock block : blocks.get()) {
      compare(reference, block);
      visit(reference.key(), Optional.of(block));
    }
  }

  private static Subject subject(Reference reference) {
    return Subject.step(Invariant.I5, reference.key(), reference.lastStep());
  }

  private List<DescriptorBlock> blocks(Reference reference, ByteBuffer bytes) {
    return Segment.decode(reference, log.namespace(), bytes).chunks().stream()
        .map(chunk -> chunk.decode(reference.key()))
        .toList();
  }

  /** The object of a reference, whose content must have the hash in its name. */
  private Optional<ByteBuffer> read(Reference reference) throws IOException {
    Optional<ByteBuffer> bytes = log.store().read(reference.key());
    if (bytes.isPresent()) {
      Id128 found = Id128.hashOf(List.of(bytes.get()));
      if (!found.equals(reference.hash())) {
        throw new CorruptObject(
            reference.key(), "its content", "hash " + reference.hash(), "hash " + found);
      }
    }
    return bytes;
  }

  /** The children of a node whose steps are not all trimmed. */
  private List<Reference> children(Reference reference) throws IOException, InterruptedException {
    Optional<List<Reference>> children =
        findings.expect(
            subject(reference),
            () ->
                read(reference)
                    .map(bytes -> IndexNode.decode(reference, log.namespace(), bytes))
                    .map(node -> children(reference, node)));
    if (children.isEmpty()) {
      visitor.unreadable();
    }
    return children.orElse(List.of());
  }

  private List<Reference> children(Reference reference, IndexNode node) {
    long width = SegmentTree.width(reference.level() - 1);
    List<Reference> children = new ArrayList<>();
    for (long step = reference.firstStep(); step <= reference.lastStep(); step += width) {
      if (step + width > head.header().firstStep()) {
        children.add(node.childAt(step));
      }
    }
    return children;
  }

  private void compare(Reference reference, DescriptorBlock block) throws IOException {
    Optional<Long> version = left.contradiction(block);
    if (version.isPresent()) {
      findings.problem(
          Subject.step(Invariant.I4, reference.key(), reference.lastStep()),
          "has other descriptors from step %d on than version %d had"
              .formatted(block.firstStep(), version.get()));
    }
  }

  private void visit(String holder, Optional<DescriptorBlock> block)
      throws IOException, InterruptedException {
    if (block.isEmpty()) {
      visitor.unreadable();
      return;
    }
    long first = Math.max(block.get().firstStep(), head.header().firstStep());
    for (long step = first; step < block.get().endStep(); step++) {
      visitor.step(holder, step, block.get().at(step));
    }
  }
}
