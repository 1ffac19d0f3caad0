// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.format.Boundary;
import io.lakestream.format.Chunk;
import io.lakestream.format.CommitKind;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Id128;
import io.lakestream.format.ImageLocation;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerEntry;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Cell;
import io.lakestream.model.CheckReport;
import io.lakestream.model.CheckReport.Depth;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.model.CheckReport.Problem;
import io.lakestream.model.Mesh;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.SealMode;
import io.lakestream.model.Tgb;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A stream of 2x1 batches to be damaged and checked. */
final class CheckedStream implements AutoCloseable {
  static final Mesh MESH = new Mesh(2, 1);

  /** Up to so many batches are a version each. */
  private static final int VERSIONS_MAX = 50;

  /** Each batch in an object of its own, and those of more than a KiB in parts. */
  private static final ProducerSettings SETTINGS =
      ProducerSettings.DEFAULT
          .withPolicy(PolicyStart.naive())
          .withPending(64)
          .withUploads(1, 1 << 20, 0)
          .withParts(1_024);

  final ObjectStore store;
  final Namespace namespace;
  final ManifestLog log;

  CheckedStream(ObjectStore store) {
    this.store = store;
    this.namespace = Lakestream.create(store, "memory:///checked", MESH, Environment.system());
    this.log = new ManifestLog(store, namespace.uuid());
  }

  @Override
  public void close() {
    namespace.close();
  }

  /** Batches of one producer, each said to be at offset {@code at N}. */
  CheckedStream write(String producer, int count) throws InterruptedException {
    try (Producer open = open(producer)) {
      write(open, count);
    }
    return this;
  }

  Producer open(String producer) throws InterruptedException {
    return namespace.producer(producer, SETTINGS, PublicationListener.none());
  }

  void write(Producer producer, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      producer.write(batch("batch " + i, Optional.empty()), "at " + i);
      if (count <= VERSIONS_MAX) {
        producer.flush();
      }
    }
    producer.flush();
  }

  /** A batch whose slices hold a text and their cell. */
  static Tgb batch(String text, Optional<ByteBuffer> provenance) {
    var builder = Tgb.raw(MESH);
    for (int i = 0; i < MESH.cells(); i++) {
      Cell cell = MESH.cell(i);
      ByteBuffer bytes = ByteBuffer.wrap((text + " of " + cell.d()).getBytes(UTF_8));
      builder.slice(cell.d(), cell.c(), bytes);
    }
    provenance.ifPresent(builder::provenance);
    return builder.build();
  }

  CheckedStream seal() throws InterruptedException {
    namespace.seal(SealMode.WHEN_ALONE);
    return this;
  }

  CheckReport check() throws InterruptedException {
    return namespace.check(Depth.METADATA, CheckReport.Listener.none());
  }

  CheckReport checkEveryByte() throws InterruptedException {
    return namespace.check(Depth.EVERY_BYTE, CheckReport.Listener.none());
  }

  /** Fails unless the check finds nothing, reading every byte. */
  CheckReport assertSound() throws InterruptedException {
    CheckReport report = checkEveryByte();
    assertThat(report.problems()).isEmpty();
    assertThat(report.isOk()).isTrue();
    return report;
  }

  /** Fails unless this is found: the object, named with the invariant, and texts about it. */
  void assertFound(Invariant invariant, String object, String... texts)
      throws InterruptedException {
    assertFound(check(), invariant, object, texts);
  }

  static void assertFound(CheckReport report, Invariant invariant, String object, String... texts) {
    assertThat(report.isOk()).isFalse();
    assertThat(report.problems())
        .anySatisfy(
            problem -> {
              assertThat(problem.invariant()).isEqualTo(invariant);
              assertThat(problem.object()).isEqualTo(object);
              assertThat(List.of(texts)).allMatch(problem.what()::contains);
            });
  }

  /** Fails unless all that is found is about one object. */
  void assertFoundOnlyAbout(String object) throws InterruptedException {
    assertThat(check().problems()).isNotEmpty().extracting(Problem::object).containsOnly(object);
  }

  List<String> keys(String folder) {
    try {
      List<String> keys = new ArrayList<>();
      var page = store.list(folder, Optional.empty());
      page.entries().stream().map(ObjectEntry::key).forEach(keys::add);
      while (page.next().isPresent()) {
        page = store.list(folder, page.next());
        page.entries().stream().map(ObjectEntry::key).forEach(keys::add);
      }
      keys.sort(null);
      return keys;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  byte[] bytes(String key) throws IOException {
    return store.read(key).orElseThrow().array();
  }

  void put(String key, byte[] bytes) throws IOException {
    store.put(key, Body.of(bytes));
  }

  void delete(String key) throws IOException {
    var unused = store.delete(List.of(key));
  }

  void flip(String key, int position) throws IOException {
    byte[] bytes = bytes(key);
    bytes[position] ^= 0x10;
    put(key, bytes);
  }

  Manifest version(long version) throws IOException {
    return log.read(version).orElseThrow();
  }

  Manifest head() throws IOException {
    return log.heads().find(0).manifest();
  }

  List<Descriptor> tail(Manifest manifest) {
    return manifest.chunks().stream()
        .flatMap(chunk -> chunk.decode("test").descriptors().stream())
        .toList();
  }

  /** Puts a manifest where its version belongs, whatever is there. */
  String put(Manifest manifest) throws IOException {
    String key = Names.manifest(manifest.version());
    store.put(key, Body.of(manifest.encode(log.namespace())));
    return key;
  }

  void put(Boundary boundary) throws IOException {
    store.put(Names.boundary(boundary.index()), Body.of(boundary.encode(log.namespace())));
  }

  /** Raises the boundary and deletes what died. */
  void reclaimTo(long version) throws IOException {
    Boundary before = log.boundaries().find(0);
    put(new Boundary(before.index() + 1, version));
    for (long dead = before.version() + 1; dead <= version; dead++) {
      delete(Names.manifest(dead));
    }
  }

  /** The header of a version that follows another and adds steps. */
  static ManifestHeader header(Manifest base, int steps) {
    return base.header()
        .successor(
            new Id128(base.version() + 1, 7),
            steps == 0 ? CommitKind.TRIM : CommitKind.PUBLISH,
            "",
            0,
            base.header().boundary(),
            steps);
  }

  /** A header with another extent. */
  static ManifestHeader extent(ManifestHeader h, long firstStep, long newSteps, boolean isSealed) {
    return new ManifestHeader(
        h.version(),
        h.commitId(),
        h.kind(),
        h.committer(),
        h.epoch(),
        firstStep,
        h.nextStep(),
        newSteps,
        h.tailFirst(),
        h.boundary(),
        isSealed,
        h.trim(),
        h.extra());
  }

  /** The version after {@code base} with descriptors behind its own. */
  static Manifest published(Manifest base, List<Descriptor> descriptors) {
    List<Descriptor> own =
        descriptors.stream().map(d -> d.publishedIn(base.version() + 1)).toList();
    Manifest next = base.withHeader(base.header());
    for (Descriptor descriptor : own) {
      ProducerEntry entry =
          new ProducerEntry(
              descriptor.producer(),
              descriptor.epoch(),
              descriptor.seq() + 1,
              Optional.of(descriptor.offset()),
              base.version() + 1,
              new Id128(base.version() + 1, 7),
              UnknownFieldSet.getDefaultInstance());
      next = next.withProducers(next.producers().withActive(entry));
    }
    return new Manifest(
        header(base, own.size()),
        base.chunksWith(own),
        base.tree(),
        next.producers(),
        base.tables(),
        base.unknown());
  }

  /** A manifest with other descriptors in its tail, which must be one chunk. */
  static Manifest withTail(Manifest manifest, List<Descriptor> descriptors) {
    List<Chunk> chunks = Manifest.empty().chunksWith(descriptors);
    return new Manifest(
        manifest.header(),
        chunks,
        manifest.tree(),
        manifest.producers(),
        manifest.tables(),
        manifest.unknown());
  }

  /** A descriptor of another seq and epoch whose object is a copy of the first one's. */
  Descriptor copy(Descriptor d, long seq, long epoch) throws IOException {
    var image = d.image();
    var place =
        new ImageLocation(
            image.random(),
            seq,
            image.objectOffset(),
            image.length(),
            image.partBytes(),
            image.footerLength(),
            image.footerCrc());
    Descriptor copy =
        new Descriptor(
            d.producer(),
            epoch,
            seq,
            "at " + seq,
            d.version(),
            place,
            d.sliceIndex(),
            d.cpLayout(),
            d.schemaId(),
            d.extra());
    put(copy.objectKeys().get(0), bytes(d.objectKeys().get(0)));
    return copy;
  }
}
