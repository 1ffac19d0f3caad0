// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.cli.soak.Strike.Kind;
import java.util.EnumMap;
import java.util.Map;

/** Counts what happened to processes, and what they made of it. */
final class Tally {
  private final Map<Kind, Long> kills = new EnumMap<>(Kind.class);
  private final Map<Kind, Long> pauses = new EnumMap<>(Kind.class);
  private final Map<Kind, Long> fenced = new EnumMap<>(Kind.class);
  private long replaced;
  private long outlived;
  private long rollBacks;
  private long again;

  void killed(Kind kind) {
    kills.merge(kind, 1L, Long::sum);
  }

  void paused(Kind kind) {
    pauses.merge(kind, 1L, Long::sum);
  }

  /** A process noticed that another had taken its place. */
  void fenced(Kind kind) {
    fenced.merge(kind, 1L, Long::sum);
  }

  /** A producer was opened anew while it slept. */
  void replaced() {
    replaced++;
  }

  /** A sleeper went on when the version that it knew was dead. */
  void outlived() {
    outlived++;
  }

  /** A job started again from a checkpoint. */
  void rolledBack() {
    rollBacks++;
  }

  /** A process gave up on the store or on a commit, and was started again. */
  void again() {
    again++;
  }

  long kills(Kind kind) {
    return kills.getOrDefault(kind, 0L);
  }

  long kills() {
    return kills.values().stream().mapToLong(Long::longValue).sum();
  }

  long pauses(Kind kind) {
    return pauses.getOrDefault(kind, 0L);
  }

  long pauses() {
    return pauses.values().stream().mapToLong(Long::longValue).sum();
  }

  long fencings(Kind kind) {
    return fenced.getOrDefault(kind, 0L);
  }

  long replacements() {
    return replaced;
  }

  long outlivings() {
    return outlived;
  }

  long rollBacks() {
    return rollBacks;
  }

  long retries() {
    return again;
  }
}
