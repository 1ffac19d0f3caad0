// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.FormatLimits;
import io.lakestream.format.Id128;
import io.lakestream.format.IndexNode;
import io.lakestream.format.Manifest;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.SegmentReader;
import io.lakestream.model.DataLoss;
import io.lakestream.runtime.Tasks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Copies the descriptors of a stream's older steps into a fork of it: as segments, with index nodes
 * above them. The copies name another namespace, so their bytes and their hashes are others. For
 * use by one thread.
 */
final class SegmentCopy {
  /** Segments copied at a time: each is a read and a put, and a long history has thousands. */
  private static final int COPIES_AT_ONCE = 8;

  private final ManifestLog from;
  private final UUID fork;
  private final ForkObjects objects;
  private final Manifest source;
  private final SegmentReader reader;

  /** Set once a copy has failed or the caller was interrupted. */
  private volatile boolean isStopped;

  /** A segment of the source, and what became of it. */
  private static final class Copy {
    private final long firstStep;
    private final Optional<Reference> original;
    private Optional<Id128> hash = Optional.empty();
    private Optional<Exception> failure = Optional.empty();

    private Copy(long firstStep, Optional<Reference> original) {
      this.firstStep = firstStep;
      this.original = original;
    }
  }

  /**
   * A copy of some of a manifest.
   *
   * @param from the log of the namespace that it is of
   * @param fork uuid of the fork
   * @param objects takes the copies
   */
  SegmentCopy(ManifestLog from, Manifest source, UUID fork, ForkObjects objects) {
    this.from = from;
    this.fork = fork;
    this.objects = objects;
    this.source = source;
    this.reader = new SegmentReader(from.store(), from.namespace());
  }

  /**
   * Copies what has the steps from {@code first} up to {@code end}, where a segment begins.
   *
   * @return a tree that refers to the copies
   * @throws DataLoss if a segment is missing
   */
  SegmentTree copy(long first, long end, Tasks tasks) throws IOException {
    List<Copy> copies = planned(first - first % FormatLimits.SEGMENT_STEPS, end);
    List<Tasks.Task> copiers = new ArrayList<>();
    for (int i = 0; i < COPIES_AT_ONCE; i++) {
      int offset = i;
      copiers.add(tasks.start("lakestream-fork-" + i, () -> copyEach(copies, offset)));
    }
    join(copiers);
    for (Copy copy : copies) {
      rethrow(copy.failure);
    }
    SegmentTree tree = SegmentTree.EMPTY;
    for (Copy copy : copies) {
      tree = folded(tree.withSegment(copy.firstStep, copy.hash.orElseThrow()));
    }
    return tree;
  }

  /** Nobody puts anything any more when this returns, or throws. */
  private void join(List<Tasks.Task> copiers) throws IOException {
    boolean isInterrupted = false;
    for (Tasks.Task copier : copiers) {
      boolean hasEnded = false;
      while (!hasEnded) {
        try {
          copier.join();
          hasEnded = true;
        } catch (InterruptedException e) {
          isInterrupted = true;
          isStopped = true;
          copiers.forEach(Tasks.Task::interrupt);
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while segments were copied");
    }
  }

  private static void rethrow(Optional<Exception> failure) throws IOException {
    if (failure.isPresent() && failure.get() instanceof IOException e) {
      throw e;
    }
    if (failure.isPresent() && failure.get() instanceof RuntimeException e) {
      throw e;
    }
  }

  /** The segments to be copied; the youngest are not sealed yet, but still in the source's tail. */
  private List<Copy> planned(long first, long end) throws IOException {
    Map<String, IndexNode> nodes = new TreeMap<>();
    List<Copy> copies = new ArrayList<>();
    for (long step = first; step < end; step += FormatLimits.SEGMENT_STEPS) {
      boolean isSealed = step < source.header().tailFirst();
      copies.add(new Copy(step, isSealed ? Optional.of(reference(nodes, step)) : Optional.empty()));
    }
    return copies;
  }

  private Reference reference(Map<String, IndexNode> nodes, long step) throws IOException {
    Reference reference =
        source.tree().locate(step).orElseThrow(() -> missing("the segment", step));
    while (reference.level() > 0) {
      String key = reference.key();
      IndexNode node = nodes.get(key);
      if (node == null) {
        node = reader.node(reference).orElseThrow(() -> missing(key, step));
        nodes.put(key, node);
      }
      reference = node.childAt(step);
    }
    return reference;
  }

  private static DataLoss missing(String what, long step) {
    return new DataLoss("%s is missing, which has step %d; restore it".formatted(what, step));
  }

  private void copyEach(List<Copy> copies, int offset) {
    for (int i = offset; i < copies.size() && !isStopped; i += COPIES_AT_ONCE) {
      Copy copy = copies.get(i);
      try {
        List<ByteBuffer> bytes = segment(copy).encode(fork);
        Id128 hash = Id128.hashOf(bytes);
        objects.put(
            new Reference(0, copy.firstStep / FormatLimits.SEGMENT_STEPS, hash).key(), bytes);
        copy.hash = Optional.of(hash);
      } catch (IOException | RuntimeException e) {
        copy.failure = Optional.of(e);
        isStopped = true;
      }
    }
  }

  private Segment segment(Copy copy) throws IOException {
    if (copy.original.isEmpty()) {
      return new Segment(
          source.chunks().stream()
              .filter(chunk -> chunk.firstStep() >= copy.firstStep)
              .limit(FormatLimits.SEGMENT_STEPS / FormatLimits.CHUNK_STEPS)
              .toList());
    }
    Reference original = copy.original.get();
    return from.store()
        .read(original.key())
        .map(bytes -> Segment.decode(original, from.namespace(), bytes))
        .orElseThrow(() -> missing(original.key(), copy.firstStep));
  }

  private SegmentTree folded(SegmentTree tree) throws IOException {
    SegmentTree folded = tree;
    for (int level = 1; level <= folded.levels().size(); level++) {
      Optional<IndexNode> node = folded.foldable(level);
      if (node.isPresent()) {
        List<ByteBuffer> bytes = node.get().encode(fork);
        Id128 hash = Id128.hashOf(bytes);
        objects.put(new Reference(level, node.get().index(), hash).key(), bytes);
        folded = folded.fold(node.get(), hash);
      }
    }
    return folded;
  }
}
