// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import io.lakestream.model.InvalidRequest;
import java.util.OptionalLong;

/**
 * Settings of a fork.
 *
 * @param at the step from which the fork goes its own way; the steps below are those of its source
 * @param from the first step that the fork has, and that its source keeps for it; all that are
 *     there if empty
 * @param producers what the fork knows of the source's producers
 */
public record ForkSettings(long at, OptionalLong from, Producers producers) {

  /** What a fork knows of the producers of its source. */
  public enum Producers {
    /** Where each stood at the fork: one that opens in the fork goes on there. */
    RESUMED,

    /** No offset: one that opens in the fork begins anew, as for another mix of data. */
    NEW
  }

  /** Checks the settings. */
  public ForkSettings {
    if (at < 0 || from.orElse(0) < 0 || from.orElse(0) > at) {
      throw new InvalidRequest(
          ("a fork at step %d cannot have steps from %d on: the first is 0 or later, and not behind"
                  + " the fork")
              .formatted(at, from.orElse(0)));
    }
  }

  /** A fork at a step that has all steps before and resumes producers. */
  public static ForkSettings at(long step) {
    return new ForkSettings(step, OptionalLong.empty(), Producers.RESUMED);
  }

  /** These settings with another first step. */
  public ForkSettings from(long step) {
    return new ForkSettings(at, OptionalLong.of(step), producers);
  }

  /** These settings with other producers. */
  public ForkSettings with(Producers others) {
    return new ForkSettings(at, from, others);
  }
}
