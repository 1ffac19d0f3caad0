// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.format.Hint;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.UnsupportedFormat;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/** The manifest versions of a namespace, read and put. Safe for use by several threads. */
public final class ManifestLog {
  private static final System.Logger LOG = System.getLogger(ManifestLog.class.getName());

  private final ObjectStore store;
  private final ObjectStore hints;
  private final UUID namespace;
  private final BoundaryChain boundaries;
  private final HeadSearch<Manifest> heads;
  private final Sources sources;
  private final AtomicBoolean isHintDoubted = new AtomicBoolean();

  /** The log of the namespace with this uuid in a store, without those that it was forked from. */
  public ManifestLog(ObjectStore store, UUID namespace) {
    this(store, store, namespace, Sources.none());
  }

  /**
   * As {@link #ManifestLog(ObjectStore, UUID)}, with a store for hints that does not try again: a
   * hint is not worth waiting for.
   *
   * @param sources the namespaces that it was forked from, if it was
   */
  public ManifestLog(ObjectStore store, ObjectStore hints, UUID namespace, Sources sources) {
    this.store = store;
    this.hints = hints;
    this.namespace = namespace;
    this.sources = sources;
    this.boundaries = new BoundaryChain(store, namespace);
    this.heads = new HeadSearch<>(this, Manifest::empty, this::read);
  }

  /** The store that the namespace is in. */
  public ObjectStore store() {
    return store;
  }

  /**
   * A namespace that has batches.
   *
   * @param store its store
   * @param namespace its uuid
   */
  public record Home(ObjectStore store, UUID namespace) {}

  /**
   * Where the batch of a step is: in the namespace itself, or in one that it was forked from.
   *
   * @param forkedFrom as the stream's tables have them
   * @throws IOException if the other store fails
   * @throws io.lakestream.model.DataLoss if the other namespace is gone
   */
  public Home home(long step, List<ForkSource> forkedFrom) throws IOException {
    Optional<ForkSource> source = ForkSource.of(step, forkedFrom);
    return source.isPresent()
        ? new Home(sources.store(source.get()), source.get().uuid())
        : new Home(store, namespace);
  }

  /**
   * The log of a namespace that this one was forked from.
   *
   * @throws IOException if its store fails
   * @throws io.lakestream.model.DataLoss if it is gone
   */
  public ManifestLog source(ForkSource source) throws IOException {
    return new ManifestLog(sources.store(source), source.uuid());
  }

  /** The namespace's uuid. */
  public UUID namespace() {
    return namespace;
  }

  /** The boundary chain. */
  public BoundaryChain boundaries() {
    return boundaries;
  }

  /** The search for the head, bringing whole manifests. */
  public HeadSearch<Manifest> heads() {
    return heads;
  }

  /**
   * A stored version, or empty if there is none. Not checked against the boundary.
   *
   * @throws CorruptObject if the object is not that version
   */
  public Optional<Manifest> read(long version) throws IOException {
    return store
        .read(Names.manifest(version))
        .map(bytes -> Manifest.decode(version, namespace, bytes));
  }

  /** One conditional put of a candidate. */
  public PutOutcome put(Manifest candidate) throws IOException {
    return store.putIfAbsent(
        Names.manifest(candidate.version()), Body.of(candidate.encode(namespace)));
  }

  Optional<Hint> hint() throws IOException {
    Optional<ByteBuffer> bytes = store.read(Names.HINT);
    try {
      return bytes.map(hint -> Hint.decode(namespace, hint));
    } catch (CorruptObject | UnsupportedFormat e) {
      // Nobody trusts the hint, so a damaged one costs requests and nothing else.
      if (!isHintDoubted.getAndSet(true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0} is damaged and left aside until a commit writes it anew ({1})",
            Names.HINT,
            e.getMessage());
      }
      return Optional.empty();
    }
  }

  /** Leaves a hint to the head for others; a failure of it is only logged. */
  public void leaveHint(CheckedHead<Manifest> head) {
    Hint hint = new Hint(head.version(), head.boundary().index());
    try {
      hints.put(Names.HINT, Body.of(hint.encode(namespace)));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "no hint was left: {0}", e.getMessage());
    }
  }
}
