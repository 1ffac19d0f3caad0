// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.format.Manifest;
import io.lakestream.lifecycle.Forker;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Pin;
import io.lakestream.policy.ForkSettings;
import io.lakestream.store.Listings;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreProbe;
import io.lakestream.store.Stores;
import java.io.IOException;
import java.util.UUID;

/**
 * Makes a fork, in this order: a pin in the source, a claim on the place, the fork's first version,
 * its record. What fails before the record is undone, unless nobody knows whether it failed. A
 * process that is killed in between leaves a pin that names the place, and objects there that no
 * namespace has; another fork is refused there until somebody removes them.
 */
final class ForkCreation {
  private final ObjectStore store;
  private final String place;
  private final Forker forker;

  /** The last step: it puts the record of the fork. */
  @FunctionalInterface
  interface Last {
    void put() throws IOException;
  }

  ForkCreation(Namespace source, ObjectStore store, String place, UUID fork) {
    this.store = store;
    this.place = place;
    this.forker =
        new Forker(
            source.log(),
            Stores.uri(source.place()).toString(),
            new ManifestLog(store, fork),
            place,
            source.environment());
  }

  void run(ForkSettings settings, Last last) throws IOException {
    requireNothingThere();
    Pin pin = forker.pin(settings);
    try {
      CheckedHead<Manifest> head = claimed();
      buildOrClear(head, pin.step(), settings, last);
    } catch (CommitUnknown e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      undo(e, () -> forker.unpin(pin));
      throw e;
    }
    tidy(pin, settings);
  }

  /** The fork is made, whatever comes of this. */
  private void tidy(Pin pin, ForkSettings settings) {
    try {
      if (pin.step() == settings.at()) {
        forker.unpin(pin); // Nothing below the fork is needed.
      }
      forker.unpinOlder();
    } catch (IOException | RuntimeException e) {
      System.getLogger(ForkCreation.class.getName())
          .log(System.Logger.Level.WARNING, "pins of forks to " + place + " were not removed", e);
    }
  }

  private void requireNothingThere() throws IOException {
    Listings.visit(
        store,
        "",
        page ->
            page.stream()
                .filter(entry -> !entry.key().startsWith(StoreProbe.FOLDER))
                .findFirst()
                .ifPresent(
                    entry -> {
                      throw remains(place, entry.key());
                    }));
  }

  /** What to say of a place without a namespace where something is. */
  static InvalidRequest remains(String place, String key) {
    return new InvalidRequest(
        ("there is no namespace at %s, but something is, such as %s: a fork that is being made, or"
             + " that did not end; choose another place, or remove it once nobody forks to there")
            .formatted(place, key));
  }

  private CheckedHead<Manifest> claimed() throws IOException {
    try {
      return forker.claim();
    } catch (CorruptObject e) {
      throw new InvalidRequest(
          "somebody else is making a namespace at %s; choose another place".formatted(place));
    }
  }

  private void buildOrClear(
      CheckedHead<Manifest> head, long first, ForkSettings settings, Last last) throws IOException {
    try {
      forker.build(head, first, settings);
      last.put();
    } catch (CommitUnknown e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      undo(e, forker::clear);
      throw e;
    }
  }

  /** Undoes a part of what was done. */
  @FunctionalInterface
  private interface Undoing {
    void run() throws IOException;
  }

  private static void undo(Exception failure, Undoing undoing) {
    try {
      undoing.run();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
