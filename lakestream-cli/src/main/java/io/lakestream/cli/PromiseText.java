// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Promise;
import java.util.List;
import java.util.Optional;

/**
 * A promise for people and, by its components, for programs.
 *
 * @param kind what holds the step
 * @param holder its name
 * @param step the step
 */
record PromiseText(Promise.Kind kind, String holder, long step) {
  static PromiseText of(Promise promise) {
    return new PromiseText(promise.kind(), promise.holder(), promise.step());
  }

  /** Who holds a stream back, of promises with the lowest step first. */
  static String lowest(List<PromiseText> promises) {
    if (promises.isEmpty()) {
      return "nothing is given up: no job and no user has promised anything";
    }
    PromiseText first = promises.get(0);
    long more = promises.stream().filter(promise -> promise.step == first.step).count() - 1;
    String verb = more == 1 ? "does" : "do";
    String others = more == 0 ? "" : ", as %s %s".formatted(verb, Units.count(more, "other"));
    return first.sentence() + others;
  }

  /** What keeps a step, or that nothing does. */
  static String of(Optional<PromiseText> promise) {
    return lowest(promise.stream().toList());
  }

  private boolean isSilent() {
    return kind == Promise.Kind.SILENT_RANK;
  }

  /** What it does to the stream. */
  private String sentence() {
    return isSilent()
        ? "waits for %s, which has not reported and counts as step %d".formatted(holder, step)
        : "%s holds step %d".formatted(holder, step);
  }

  /** The holder in a row of a table that has the step. */
  String row() {
    return isSilent() ? "%s, which has not reported".formatted(holder) : holder;
  }
}
