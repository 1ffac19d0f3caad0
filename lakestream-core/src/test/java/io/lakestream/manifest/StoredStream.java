// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.Boundary;
import io.lakestream.format.Chunk;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Hint;
import io.lakestream.format.Id128;
import io.lakestream.format.ImageLocation;
import io.lakestream.format.IndexNode;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.Segment;
import io.lakestream.format.SegmentTree.Reference;
import io.lakestream.format.SliceIndex;
import io.lakestream.format.StreamTables;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Schema;
import io.lakestream.store.Body;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A stream's metadata, put version by version. The descriptor of step s has seq s. */
final class StoredStream {
  static final UUID NAMESPACE = new UUID(3, 4);

  final WatchedStore store = new WatchedStore();
  final ManifestLog log = new ManifestLog(store, NAMESPACE);
  private Boundary boundary = Boundary.NONE;
  private long firstStep;
  private Manifest head = withSchema(Manifest.empty());

  private static Manifest withSchema(Manifest manifest) {
    return new Manifest(
        manifest.header(),
        manifest.chunks(),
        manifest.tree(),
        manifest.producers(),
        StreamTables.EMPTY.withSchema(Schema.RAW),
        List.of());
  }

  Manifest head() {
    return head;
  }

  /** Puts versions of one step each. */
  StoredStream versions(int count) throws IOException {
    return versions(count, 1);
  }

  /** Puts versions of {@code steps} steps each. */
  StoredStream versions(int count, int steps) throws IOException {
    for (int i = 0; i < count; i++) {
      publish(steps);
    }
    return this;
  }

  /** Puts one version, which adds steps and seals what it can. */
  void publish(int steps) throws IOException {
    seal();
    long version = head.version() + 1;
    List<Descriptor> descriptors = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      descriptors.add(descriptor(head.header().nextStep() + i, version));
    }
    List<Chunk> chunks = head.chunksWith(descriptors);
    head =
        put(
            new Manifest(
                header(steps), chunks, head.tree(), head.producers(), head.tables(), List.of()));
  }

  private ManifestHeader header(int steps) {
    ManifestHeader next =
        head.header()
            .successor(
                new Id128(head.version() + 1, 1), CommitKind.PUBLISH, "p", 1, boundary, steps);
    return new ManifestHeader(
        next.version(),
        next.commitId(),
        next.kind(),
        next.committer(),
        next.epoch(),
        firstStep,
        next.nextStep(),
        next.newSteps(),
        next.tailFirst(),
        next.boundary(),
        next.isSealed(),
        next.trim(),
        next.extra());
  }

  private Manifest put(Manifest manifest) throws IOException {
    store.put(Names.manifest(manifest.version()), Body.of(manifest.encode(NAMESPACE)));
    return manifest;
  }

  static Descriptor descriptor(long step, long version) {
    return new Descriptor(
        "p",
        1,
        step,
        "",
        version,
        new ImageLocation(step, step, 0, 1_000, 0, 100, 1),
        new SliceIndex.Uniform(100),
        CpLayout.OPAQUE,
        7,
        UnknownFieldSet.getDefaultInstance());
  }

  private void seal() throws IOException {
    while (head.tailSteps() >= 2 * FormatLimits.SEGMENT_STEPS) {
      Segment segment = head.sealable().orElseThrow();
      List<ByteBuffer> bytes = segment.encode(NAMESPACE);
      Id128 hash = Id128.hashOf(bytes);
      long last = segment.firstStep() + FormatLimits.SEGMENT_STEPS - 1;
      store.put(Names.segment(segment.firstStep(), last, hash), Body.of(bytes));
      head = head.withSealed(segment, hash);
    }
    for (int level = 1; level <= head.tree().levels().size(); level++) {
      Optional<IndexNode> node = head.tree().foldable(level);
      if (node.isPresent()) {
        List<ByteBuffer> bytes = node.get().encode(NAMESPACE);
        Id128 hash = Id128.hashOf(bytes);
        store.put(new Reference(level, node.get().index(), hash).key(), Body.of(bytes));
        head = head.withTree(head.tree().fold(node.get(), hash));
      }
    }
  }

  /** Trims with the next version. */
  void trimTo(long step) throws IOException {
    firstStep = step;
    head = head.withHeader(trimmed(step)).withTree(head.tree().trimmedTo(step));
    publish(0);
  }

  private ManifestHeader trimmed(long step) {
    ManifestHeader old = head.header();
    return new ManifestHeader(
        old.version(),
        old.commitId(),
        old.kind(),
        old.committer(),
        old.epoch(),
        step,
        old.nextStep(),
        old.newSteps(),
        old.tailFirst(),
        old.boundary(),
        old.isSealed(),
        old.trim(),
        old.extra());
  }

  /** Declares versions dead and deletes them. */
  void reclaimTo(long version) throws IOException {
    long before = boundary.version();
    raiseTo(version);
    for (long v = before + 1; v <= version; v++) {
      delete(Names.manifest(v));
    }
  }

  /** Declares versions dead and lets them be. */
  void raiseTo(long version) throws IOException {
    boundary = new Boundary(boundary.index() + 1, version);
    store.put(Names.boundary(boundary.index()), Body.of(boundary.encode(NAMESPACE)));
  }

  void delete(String key) throws IOException {
    var unused = store.delete(List.of(key));
  }

  /** A sleeping writer creates a version that was deleted. */
  void revive(long version) throws IOException {
    ManifestHeader header =
        new ManifestHeader(
            version,
            new Id128(6, 6),
            CommitKind.PUBLISH,
            "sleeper",
            1,
            0,
            0,
            0,
            0,
            Boundary.NONE,
            false,
            Optional.empty(),
            UnknownFieldSet.getDefaultInstance());
    var unused = put(withSchema(Manifest.empty()).withHeader(header));
  }

  void hint(long version) throws IOException {
    store.put(Names.HINT, Body.of(new Hint(version, boundary.index()).encode(NAMESPACE)));
  }

  Boundary boundary() {
    return boundary;
  }
}
