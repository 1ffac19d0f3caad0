// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.Names;
import io.lakestream.format.PinRecord;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Pin;
import io.lakestream.model.StepReclaimed;
import io.lakestream.runtime.Entropy;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.Listings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Pattern;

/** The pins of a stream; {@link Trimmer} has the argument why they hold. */
public final class Pins {
  private static final int LABEL_LENGTH_MAX = 1_000;
  private static final Pattern NAME = Pattern.compile("\\d{20}-[0-9a-f]{16}");

  private final ManifestLog log;
  private final Entropy entropy;
  private final Grants grants;

  /** The pins of a stream. */
  public Pins(ManifestLog log, Environment environment) {
    this.log = log;
    this.entropy = environment.entropy();
    this.grants = new Grants(log, environment);
  }

  /**
   * Pins a step. Granted when this returns.
   *
   * @throws InvalidRequest if the step is below 0 or beyond the head, or the label too long
   * @throws StepReclaimed if the step is gone
   * @throws CommitUnknown if the store does not say whether the pin was put, or an announced trim
   *     taken back
   */
  public Pin add(long step, String label) throws IOException {
    if (label.length() > LABEL_LENGTH_MAX) {
      throw new InvalidRequest(
          "the label of a pin has at most %d characters, not %d"
              .formatted(LABEL_LENGTH_MAX, label.length()));
    }
    // Below a pin steps may go, so a slip beyond the head would give up the stream.
    Grants.requireWithin(grants.head(), step);
    return add(new PinRecord(step, entropy.nextLong(), label));
  }

  /**
   * Pins a step for a namespace that is forked from this one. Granted when this returns.
   *
   * @param place where the fork is
   * @throws StepReclaimed if the step is gone
   * @throws CommitUnknown as {@link #add} does
   */
  Pin addFork(long step, UUID fork, String place) throws IOException {
    return add(new PinRecord(step, entropy.nextLong(), labelOf(place), Optional.of(fork)));
  }

  private static String labelOf(String place) {
    return "fork " + place;
  }

  /** Removes the pins of forks to a place, but for those of the one that is there. */
  void removeForks(String place, UUID there) throws IOException {
    for (PinRecord pin : records(log)) {
      boolean isToPlace = pin.fork().isPresent() && pin.label().equals(labelOf(place));
      if (isToPlace && !pin.fork().get().equals(there)) {
        var unused = remove(nameOf(pin.key()));
      }
    }
  }

  private Pin add(PinRecord record) throws IOException {
    put(record);
    String name = nameOf(record.key());
    grant(name, record.step());
    return of(record);
  }

  /** A pin whose name nobody learns would hold the stream for ever. */
  private void grant(String name, long step) throws IOException {
    try {
      grants.grant(step);
    } catch (IOException | RuntimeException e) {
      try {
        boolean unused = remove(name);
      } catch (IOException again) {
        e.addSuppressed(again);
        throw new IOException(
            "pin %s was put and could be neither granted nor removed (%s); remove it later"
                .formatted(name, e.getMessage()),
            e);
      }
      throw e;
    }
  }

  private void put(PinRecord record) throws IOException {
    Body body = Body.of(record.encode(log.namespace()));
    if (!SettledObjects.put(log.store(), record.key(), body)) {
      throw new CommitUnknown(
          ("it is not known whether %s was put: pin the step again, and should it appear later, as"
                  + " the list of pins shows, remove it")
              .formatted(record.key()));
    }
  }

  private static Pin of(PinRecord record) {
    Pin.Holder holder = record.fork().isPresent() ? Pin.Holder.FORK : Pin.Holder.USER;
    return new Pin(nameOf(record.key()), record.step(), record.label(), holder);
  }

  private static String nameOf(String key) {
    return key.substring(Names.PINS.length());
  }

  /** All pins, lowest step first. */
  public static List<Pin> all(ManifestLog log) throws IOException {
    return records(log).stream().map(Pins::of).toList();
  }

  private static List<PinRecord> records(ManifestLog log) throws IOException {
    List<PinRecord> records = new ArrayList<>();
    for (String key : Listings.keys(log.store(), Names.PINS)) {
      log.store()
          .read(key)
          .map(bytes -> PinRecord.decode(key, log.namespace(), bytes))
          .ifPresent(records::add);
    }
    return records;
  }

  /**
   * Lets a fork hold another step than before, or none. A lower pin goes only once the new one is
   * granted; one that is there may be of somebody who died before that.
   *
   * @param needed the first step that the fork needs of this namespace; none if empty
   * @throws StepReclaimed if that is gone
   */
  void moveFork(UUID fork, OptionalLong needed) throws IOException {
    List<PinRecord> own =
        records(log).stream().filter(pin -> pin.fork().equals(Optional.of(fork))).toList();
    long step = needed.orElse(Long.MAX_VALUE);
    if (own.stream().anyMatch(pin -> pin.step() > step)) {
      return; // By somebody who knows a newer head, since the first step of a fork never falls.
    }
    List<PinRecord> lower = own.stream().filter(pin -> pin.step() < step).toList();
    boolean isThere = own.size() > lower.size();
    if (needed.isPresent() && !isThere) {
      String label = own.isEmpty() ? "fork " + fork : own.get(0).label();
      var unused = add(new PinRecord(step, entropy.nextLong(), label, Optional.of(fork)));
    } else if (needed.isPresent() && !lower.isEmpty()) {
      grants.grant(step);
    }
    for (PinRecord pin : lower) {
      var unused = remove(nameOf(pin.key()));
    }
  }

  /**
   * Takes a pin back.
   *
   * @return whether there was one of this name
   * @throws InvalidRequest if that cannot be the name of a pin
   */
  public boolean remove(String name) throws IOException {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidRequest(
          "'%s' is no name of a pin, which is its step in 20 digits, '-', and 16 hex digits"
              .formatted(name));
    }
    String key = Names.PINS + name;
    boolean isThere = log.store().size(key).isPresent();
    List<DeleteFailure> failures = log.store().delete(List.of(key));
    if (!failures.isEmpty()) {
      throw new IOException(
          "pin %s could not be removed: %s".formatted(name, failures.get(0).reason()));
    }
    return isThere;
  }
}
