// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

import io.lakestream.runtime.Environment;
import io.lakestream.store.HedgedStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PacedStore;
import io.lakestream.store.StoreOptions;

/** Whether reads that hang are asked for again: the option {@code hedging} of a store's URI. */
public enum Hedging {
  /** They are. */
  ON,

  /** They are waited for, as when requests are to be counted or timed one by one. */
  OFF;

  /** The name of the option. */
  public static final String OPTION = "hedging";

  /**
   * Reads the option, {@code on} or {@code off}; on by default.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Hedging of(StoreOptions options) {
    String value = options.value(OPTION).orElse("on");
    return switch (value) {
      case "on" -> ON;
      case "off" -> OFF;
      default ->
          throw new IllegalArgumentException(
              "option '%s' is on or off, not '%s'".formatted(OPTION, value));
    };
  }

  /** A store across a network, with as many calls under way as it takes, and hedged if so. */
  public ObjectStore around(ObjectStore store) {
    ObjectStore hedged =
        this == ON
            ? new HedgedStore(store, HedgedStore.Settings.DEFAULT, Environment.system())
            : store;
    return new PacedStore(hedged, PacedStore.Settings.DEFAULT, Environment.system().tasks());
  }
}
