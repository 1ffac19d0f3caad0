// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.model.Promise;
import io.lakestream.policy.LagLimits;
import java.util.Optional;

/**
 * Why a producer may not go on.
 *
 * @param cause what people have to know
 * @param outlook whether it will pass
 */
record Standstill(String cause, Outlook outlook) {
  /** What becomes of it if nobody does anything out of the ordinary. */
  enum Outlook {
    /** Ranks that go on reading and saving checkpoints end it. */
    PASSING,

    /** The ranks have nothing left to read, and only a checkpoint would give them something. */
    LASTING
  }

  /** Why a producer may not go on that has no share. */
  static Standstill of(Promises promises, Lead lead, LagLimits limits) {
    if (lead.room(limits) > 0) {
      return passing(
          "%d batches are on the way, its share of what is left; it goes on when they are published"
              .formatted(lead.pending()));
    }
    long end = lead.published() + lead.pending();
    Optional<Promise> lowest = promises.lowest();
    if (lowest.isEmpty()) {
      return passing(
          "nobody has reported a checkpoint or pinned a step; %d steps are there or on the way"
              .formatted(end));
    }
    if (lead.isWithinLag(limits)) {
      return passing(
          "the slowest rank has read to step %d, %d steps behind"
              .formatted(lead.read(), end - lead.read()));
    }
    String why = "%s, %d steps behind".formatted(lowest.get(), end - lead.needed());
    return lead.read() < lead.published()
        ? passing(why)
        : new Standstill(
            why + "; all ranks have read all there is: " + remedy(lowest.get()), Outlook.LASTING);
  }

  private static String remedy(Promise lowest) {
    return switch (lowest.kind()) {
      case PIN -> "only removing that pin helps";
      case FORK -> "only a fork that gives up more helps";
      case RANK, SILENT_RANK ->
          "unless they save a checkpoint of what they read, this never ends, and the limit is too"
              + " low for the distance between checkpoints";
    };
  }

  private static Standstill passing(String cause) {
    return new Standstill(cause, Outlook.PASSING);
  }
}
