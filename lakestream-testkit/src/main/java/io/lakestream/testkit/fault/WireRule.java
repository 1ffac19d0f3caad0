// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import java.util.Set;

/**
 * When a fault strikes a request on the wire.
 *
 * @param methods the methods that it strikes, empty for all
 * @param targetPart what the target of the request contains
 * @param chance how probable it is for each of them, 1 for certain
 * @param fault what it does
 * @param millis how long, if it holds something up
 */
public record WireRule(
    Set<String> methods, String targetPart, double chance, WireFault fault, long millis) {
  public WireRule {
    methods = Set.copyOf(methods);
    if (!(chance >= 0 && chance <= 1) || millis < 0) {
      throw new IllegalArgumentException(
          "a chance is in [0, 1] and a time 0 or more, not %s and %d".formatted(chance, millis));
    }
  }

  /** A fault that strikes each request with a probability. */
  public static WireRule often(double chance, WireFault fault) {
    return new WireRule(Set.of(), "", chance, fault, 0);
  }

  /** This for requests of one method only. */
  public WireRule on(String method) {
    return new WireRule(Set.of(method), targetPart, chance, fault, millis);
  }

  /** This for so long. */
  public WireRule lasting(long longMillis) {
    return new WireRule(methods, targetPart, chance, fault, longMillis);
  }

  boolean matches(String method, String target) {
    return (methods.isEmpty() || methods.contains(method)) && target.contains(targetPart);
  }
}
