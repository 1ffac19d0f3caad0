// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Chunk;
import io.lakestream.format.Descriptor;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.IndexNode;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.SegmentTree;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.manifest.SegmentReader;
import io.lakestream.model.CheckReport.Invariant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Visits the steps of a head in order, by way of its index nodes and segments, which must be there,
 * hash to their names and have what was in the tails before them.
 */
final class StepWalk {
  private final SegmentReader reader;
  private final Listed segments;
  private final Findings findings;
  private final LeftChunks left;
  private final Manifest head;
  private final Visitor visitor;

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

  /**
   * @param segments the segments and nodes that were listed, for each of which it is told there
   *     whether it is met
   */
  StepWalk(
      SegmentReader reader,
      Listed segments,
      Findings findings,
      LeftChunks left,
      Manifest head,
      Visitor visitor) {
    this.reader = reader;
    this.segments = segments;
    this.findings = findings;
    this.left = left;
    this.head = head;
    this.visitor = visitor;
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
    long unused = segments.refer(reference.key());
    if (reference.level() > 0) {
      for (Reference child : children(reference)) {
        visit(child);
      }
      return;
    }
    Optional<List<DescriptorBlock>> blocks =
        findings.expect(subject(reference), () -> reader.blocks(reference));
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

  /** The children of a node whose steps are not all trimmed. */
  private List<Reference> children(Reference reference) throws IOException, InterruptedException {
    Optional<List<Reference>> children =
        findings.expect(
            subject(reference),
            () -> reader.node(reference).map(node -> children(reference, node)));
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
