// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.format.Names;
import io.lakestream.format.NamespaceRecord;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Mesh;
import io.lakestream.model.NamespaceExists;
import io.lakestream.model.NamespaceNotFound;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.UnsupportedFormat;
import io.lakestream.policy.ForkSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.MeteredStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.RetryingStore;
import io.lakestream.store.StoreProbe;
import io.lakestream.store.Stores;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Creates and opens namespaces: one stream each, at a place such as {@code file:///runs/a}.
 *
 * <pre>{@code
 * try (Namespace stream = Lakestream.create("file:///runs/a", new Mesh(2, 1));
 *     Producer producer = stream.producer("packer-0")) {
 *   Tgb batch = Tgb.raw(stream.mesh()).slice(0, 0, left).slice(1, 0, right).build();
 *   producer.write(batch, "line 4711");
 * }
 * }</pre>
 */
public final class Lakestream {
  private Lakestream() {}

  /**
   * Creates a namespace and opens it. The store is probed first.
   *
   * @param place a URI, or a path of the local file system
   * @throws NamespaceExists if there is one at this place
   * @throws io.lakestream.model.InvalidRequest if the place is no URI of a known scheme
   * @throws io.lakestream.model.UnsupportedStore if the store lacks what safety rests on
   * @throws CommitUnknown if the store does not say whether the namespace was created
   * @throws StoreUnavailable if the store fails
   */
  public static Namespace create(String place, Mesh mesh) {
    Objects.requireNonNull(mesh, "mesh");
    return create(Stores.open(place), place, mesh, Environment.system());
  }

  /**
   * As {@link #create(String, Mesh)}, in a store and an environment of the caller's choice.
   *
   * @param store the store, which the namespace closes; closed here if creation fails
   */
  public static Namespace create(
      ObjectStore store, String place, Mesh mesh, Environment environment) {
    return opening(
        store,
        place,
        environment,
        Stores::open,
        retrying -> {
          NamespaceRecord record = record(retrying, place, mesh, environment);
          put(retrying, place, record);
          return record;
        });
  }

  private static NamespaceRecord record(
      ObjectStore store, String place, Mesh mesh, Environment environment) throws IOException {
    if (store.read(Names.NAMESPACE).isPresent()) {
      throw exists(place);
    }
    if (store.size(Names.boundary(1)).isPresent()) {
      throw ForkCreation.remains(place, Names.boundary(1));
    }
    StoreProbe.Report report = StoreProbe.run(store, environment);
    report.requireSound(place);
    return new NamespaceRecord(
        new UUID(environment.entropy().nextLong(), environment.entropy().nextLong()),
        mesh,
        report.findings().stream().map(StoreProbe.Finding::claim).toList());
  }

  /**
   * As {@link Namespace#fork}, in a store of the caller's choice.
   *
   * @param store the fork's store, which the fork closes; closed here if forking fails
   * @param place the fork's URI, by which others will open it
   */
  public static Namespace fork(
      Namespace source, ObjectStore store, String place, ForkSettings settings) {
    Environment environment = source.environment();
    return opening(
        store,
        place,
        environment,
        source.opener(),
        retrying -> {
          NamespaceRecord record = record(retrying, place, source.mesh(), environment);
          ForkCreation creation = new ForkCreation(source, retrying, place, record.uuid());
          creation.run(settings, () -> put(retrying, place, record));
          return record;
        });
  }

  /**
   * Opens a namespace.
   *
   * @param place a URI, or a path of the local file system
   * @throws NamespaceNotFound if there is none at this place
   * @throws io.lakestream.model.UnsupportedFormat if it was made by a newer version
   * @throws io.lakestream.model.CorruptObject if its record is damaged
   * @throws io.lakestream.model.InvalidRequest if the place is no URI of a known scheme
   * @throws StoreUnavailable if the store fails
   */
  public static Namespace open(String place) {
    return open(Stores.open(place), place, Environment.system());
  }

  /**
   * As {@link #open(String)}, in a store and an environment of the caller's choice.
   *
   * @param store the store, which the namespace closes; closed here if opening fails
   */
  public static Namespace open(ObjectStore store, String place, Environment environment) {
    return open(store, place, environment, Stores::open);
  }

  /**
   * As {@link #open(ObjectStore, String, Environment)}, with stores of the caller's choice also for
   * the namespaces that this one was forked from.
   *
   * @param opener opens the store at a place; the namespace closes it
   */
  public static Namespace open(
      ObjectStore store,
      String place,
      Environment environment,
      Function<String, ObjectStore> opener) {
    return opening(
        store,
        place,
        environment,
        opener,
        retrying ->
            retrying
                .read(Names.NAMESPACE)
                .map(NamespaceRecord::decode)
                .orElseThrow(
                    () ->
                        new NamespaceNotFound(
                            "there is no namespace at %s: it has no %s; check the place, or create"
                                    .formatted(place, Names.NAMESPACE)
                                + " one (lakestream init)")));
  }

  /** What finds or makes the record of a namespace. */
  @FunctionalInterface
  private interface Finder {
    NamespaceRecord find(ObjectStore store) throws IOException;
  }

  private static Namespace opening(
      ObjectStore store,
      String place,
      Environment environment,
      Function<String, ObjectStore> opener,
      Finder finder) {
    MeteredStore metered = new MeteredStore(store, environment.clock());
    ObjectStore retrying = new RetryingStore(metered, RetryingStore.Settings.DEFAULT, environment);
    boolean isOpen = false;
    try {
      NamespaceRecord record = finder.find(retrying);
      Namespace namespace = new Namespace(place, record, retrying, metered, opener, environment);
      isOpen = true;
      return namespace;
    } catch (IOException e) {
      throw new StoreUnavailable("%s cannot be used: %s".formatted(place, e.getMessage()), e);
    } finally {
      if (!isOpen) {
        closeQuietly(store);
      }
    }
  }

  private static void put(ObjectStore store, String place, NamespaceRecord record)
      throws IOException {
    byte[] bytes = record.encode();
    PutOutcome outcome = store.putIfAbsent(Names.NAMESPACE, Body.of(bytes));
    Optional<UUID> found;
    try {
      found = store.read(Names.NAMESPACE).map(NamespaceRecord::decode).map(NamespaceRecord::uuid);
    } catch (CorruptObject | UnsupportedFormat e) {
      throw unread(place, outcome, new IOException(e.getMessage(), e));
    } catch (IOException e) {
      throw unread(place, outcome, e);
    }
    if (found.isEmpty()) {
      throw new CommitUnknown(
          "it is not known whether the namespace at %s was created (%s); look again later"
              .formatted(place, outcome));
    }
    if (!found.get().equals(record.uuid())) {
      throw exists(place);
    }
  }

  private static CommitUnknown unread(String place, PutOutcome outcome, IOException cause) {
    return new CommitUnknown(
        ("it is not known whether the namespace at %s was created (%s), since it could not be read"
                + " back: %s; look again later")
            .formatted(place, outcome, cause.getMessage()),
        cause);
  }

  private static NamespaceExists exists(String place) {
    return new NamespaceExists(
        "there is a namespace at %s already; open it, or choose another place".formatted(place));
  }

  private static void closeQuietly(ObjectStore store) {
    try {
      store.close();
    } catch (IOException e) {
      System.getLogger(Lakestream.class.getName())
          .log(System.Logger.Level.DEBUG, "closing an unused store failed", e);
    }
  }
}
