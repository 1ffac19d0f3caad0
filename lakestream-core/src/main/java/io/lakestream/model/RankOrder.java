// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.Arrays;
import java.util.Locale;

/**
 * How world ranks are numbered over the parallel dimensions, fastest dimension first. Expert
 * parallelism reuses data and context ranks, so it moves nothing.
 */
public enum RankOrder {
  /** {@code tp-cp-ep-dp-pp}: the default of Megatron-LM, and of torchtitan. */
  TP_CP_EP_DP_PP,

  /** {@code tp-cp-ep-pp-dp}: Megatron-LM with pipeline ranks before data ranks. */
  TP_CP_EP_PP_DP;

  /**
   * The order with a name such as {@code tp-cp-ep-dp-pp}.
   *
   * @throws InvalidRequest if there is none
   */
  public static RankOrder parse(String name) {
    return Arrays.stream(values())
        .filter(order -> order.toString().equals(name.strip().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidRequest(
                    "there is no rank order '%s'; there are %s"
                        .formatted(name, Arrays.toString(values()))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
