// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import java.io.IOException;
import java.util.Optional;

/**
 * Finds the last of consecutively numbered objects with few probes and without a listing. Numbers
 * from some point on exist without a gap up to the newest; what is found is the newest at some
 * moment during the search.
 *
 * @param <T> what a probe brings
 */
final class NewestSearch<T> {
  /** Doublings of a 64-bit distance; bounds the search. */
  private static final int DOUBLINGS_MAX = 62;

  private final Probe<T> probe;

  /** Reads a numbered object. */
  @FunctionalInterface
  interface Probe<T> {
    Optional<T> read(long number) throws IOException;
  }

  /** A numbered object. */
  record Found<T>(long number, T value) {}

  NewestSearch(Probe<T> probe) {
    this.probe = probe;
  }

  /** The newest object above {@code known}, which exists or may be taken to; empty if none. */
  Optional<Found<T>> above(long known) throws IOException {
    Optional<T> next = probe.read(known + 1);
    return next.isEmpty()
        ? Optional.empty()
        : Optional.of(gallop(new Found<>(known + 1, next.get())));
  }

  /**
   * The newest object, starting from a number that was the newest a short while ago. Takes at most
   * three probes if the newest is at most four further; empty if nothing is there.
   */
  Optional<Found<T>> near(long recent) throws IOException {
    Optional<T> second = probe.read(recent + 2);
    if (second.isEmpty()) {
      Optional<Found<T>> first = found(recent + 1);
      return first.isPresent() ? first : found(recent);
    }
    Optional<T> fourth = probe.read(recent + 4);
    if (fourth.isEmpty()) {
      Optional<Found<T>> third = found(recent + 3);
      return third.isPresent() ? third : Optional.of(new Found<>(recent + 2, second.get()));
    }
    return Optional.of(gallop(new Found<>(recent + 4, fourth.get())));
  }

  private Optional<Found<T>> found(long number) throws IOException {
    return probe.read(number).map(value -> new Found<>(number, value));
  }

  private Found<T> gallop(Found<T> start) throws IOException {
    Found<T> last = start;
    long stride = 1;
    for (int i = 0; i < DOUBLINGS_MAX; i++) {
      Optional<T> next = probe.read(last.number() + stride);
      if (next.isEmpty()) {
        return bisect(last, last.number() + stride);
      }
      last = new Found<>(last.number() + stride, next.get());
      stride *= 2;
    }
    throw new IOException("more numbered objects than 64 bits can count from " + start.number());
  }

  private Found<T> bisect(Found<T> present, long absent) throws IOException {
    Found<T> last = present;
    long missing = absent;
    while (missing - last.number() > 1) {
      long middle = last.number() + (missing - last.number()) / 2;
      Optional<T> value = probe.read(middle);
      if (value.isPresent()) {
        last = new Found<>(middle, value.get());
      } else {
        missing = middle;
      }
    }
    return last;
  }
}
