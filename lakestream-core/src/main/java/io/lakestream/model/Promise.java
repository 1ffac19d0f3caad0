// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Somebody may resume the stream from a step, so nothing at or after it is given up.
 *
 * @param kind who that is
 * @param holder its name, for people
 * @param step from where on
 */
public record Promise(Kind kind, String holder, long step) {

  /** What holds a step. */
  public enum Kind {
    /** A pin of a user. */
    PIN,

    /**
     * What a fork needs. It keeps steps, but says of none that it is needed no more: nobody gives
     * up a stream by forking it.
     */
    FORK,

    /** The newest checkpoint of a rank. */
    RANK,

    /** The start of a rank that has not reported since. */
    SILENT_RANK
  }

  /** What groups and pins promise, lowest step first. */
  public static List<Promise> of(List<GroupStanding> standings, List<Pin> pins) {
    return Stream.concat(
            standings.stream().flatMap(group -> group.promises().stream()),
            pins.stream().map(Promise::of))
        .sorted(Comparator.comparingLong(Promise::step))
        .toList();
  }

  /**
   * The lowest of promises that are in the order of their steps; empty if there are none but those
   * of forks.
   */
  public static Optional<Promise> lowest(List<Promise> promises) {
    return promises.stream().allMatch(promise -> promise.kind() == Kind.FORK)
        ? Optional.empty()
        : Optional.of(promises.get(0));
  }

  private static Promise of(Pin pin) {
    String label = pin.label().isEmpty() ? "" : " (%s)".formatted(pin.label());
    Kind kind = pin.holder() == Pin.Holder.FORK ? Kind.FORK : Kind.PIN;
    return new Promise(kind, "pin " + pin.name() + label, pin.step());
  }

  @Override
  public String toString() {
    String silence = kind == Kind.SILENT_RANK ? ", which has not reported," : "";
    return "%s%s holds step %d".formatted(holder, silence, step);
  }
}
