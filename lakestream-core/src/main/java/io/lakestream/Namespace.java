// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.commit.Committer;
import io.lakestream.commit.SealChange;
import io.lakestream.format.NamespaceRecord;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Cursor;
import io.lakestream.model.Mesh;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.SealMode;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Topology;
import io.lakestream.policy.CommitSettings;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.MeteredStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/**
 * An open namespace: the way to its producers and consumers. Safe for use by several threads. Close
 * what it handed out before it.
 */
public final class Namespace implements AutoCloseable {
  private final String place;
  private final NamespaceRecord record;
  private final ObjectStore store;
  private final MeteredStore metered;
  private final Environment environment;
  private final ManifestLog log;

  Namespace(
      String place,
      NamespaceRecord record,
      ObjectStore store,
      MeteredStore metered,
      Environment environment) {
    this.place = place;
    this.record = record;
    this.store = store;
    this.metered = metered;
    this.environment = environment;
    this.log = new ManifestLog(store, record.uuid());
  }

  /** Where the namespace is, as it was opened. */
  public String place() {
    return place;
  }

  /** The namespace's uuid. */
  public UUID uuid() {
    return record.uuid();
  }

  /** The mesh that the stream is written for. */
  public Mesh mesh() {
    return record.mesh();
  }

  /** Opens a producer with default settings; see {@link Producer#open}. */
  public Producer producer(String id) throws InterruptedException {
    return producer(id, ProducerSettings.DEFAULT, PublicationListener.none());
  }

  /** Opens a producer; see {@link Producer#open}. */
  public Producer producer(String id, ProducerSettings settings, PublicationListener listener)
      throws InterruptedException {
    return Producer.open(log, mesh(), id, settings, listener, environment);
  }

  /** Opens a consumer at the stream's start with default settings; see {@link Consumer#open}. */
  public Consumer consumer(Topology topology) throws InterruptedException {
    return consumer(topology, Cursor.start(uuid()), ConsumerSettings.DEFAULT);
  }

  /** Opens a consumer; see {@link Consumer#open}. */
  public Consumer consumer(Topology topology, Cursor start, ConsumerSettings settings)
      throws InterruptedException {
    return Consumer.open(log, mesh(), topology, start, settings, environment);
  }

  /** A look at the stream as it is now. */
  public StreamView view() {
    return StreamView.open(log, mesh());
  }

  /**
   * Gives the stream its end, for an operator; a producer has {@link Producer#seal}.
   *
   * @throws io.lakestream.model.InvalidRequest if a producer is active and {@code mode} does not
   *     force it
   * @throws StoreUnavailable if the store fails
   */
  public void seal(SealMode mode) throws InterruptedException {
    try {
      Committer committer = new Committer(log, environment, CommitSettings.DEFAULT);
      var unused =
          committer.commit(new SealChange(committer.newCommitId(), Optional.empty(), mode));
    } catch (IOException e) {
      throw new StoreUnavailable("the stream could not be sealed: " + e.getMessage(), e);
    }
  }

  /** The requests made through this object so far. */
  public StoreMetrics storeMetrics() {
    return metered.metrics();
  }

  /** Closes the store. */
  @Override
  public void close() {
    try {
      store.close();
    } catch (IOException e) {
      throw new StoreUnavailable("closing %s failed: %s".formatted(place, e.getMessage()), e);
    }
  }
}
