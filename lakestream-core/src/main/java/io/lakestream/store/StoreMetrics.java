// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.util.Collections;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a {@link MeteredStore} had counted at one moment. Immutable.
 *
 * @param counts the sums for each kind of call that was made
 */
public record StoreMetrics(SortedMap<Call, Counts> counts) {

  /**
   * The calls of an {@link ObjectStore}, each of which is one request to an object store at best.
   */
  public enum Operation {
    /** {@link ObjectStore#putIfAbsent}. */
    PUT_IF_ABSENT("putIfAbsent"),
    /** {@link ObjectStore#put}. */
    PUT("put"),
    /** {@link ObjectStore#read(String)}. */
    READ("read"),
    /** {@link ObjectStore#read(String, long, int)}. */
    READ_RANGE("readRange"),
    /** {@link ObjectStore#readSuffix}. */
    READ_SUFFIX("readSuffix"),
    /** {@link ObjectStore#size}. */
    SIZE("size"),
    /** {@link ObjectStore#list}. */
    LIST("list"),
    /** {@link ObjectStore#delete}. */
    DELETE("delete");

    private final String label;

    Operation(String label) {
      this.label = label;
    }

    /** Its name in logs and reports. */
    public String label() {
      return label;
    }
  }

  /**
   * A kind of call.
   *
   * @param operation what was called
   * @param area the first part of the key or prefix, such as {@code manifest}; of the first key for
   *     a delete; empty for the prefix that is
   */
  public record Call(Operation operation, String area) implements Comparable<Call> {
    private static final Comparator<Call> ORDER =
        Comparator.comparing(Call::area).thenComparing(Call::operation);

    @Override
    public int compareTo(Call other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * Sums over some calls of a store.
   *
   * @param requests calls made
   * @param misses calls that did not find the object, or whose {@code putIfAbsent} created none
   * @param failures calls that ended in an exception
   * @param bytesRead bytes of the objects and ranges that were read
   * @param bytesWritten bytes of the bodies that were put, whatever the outcome
   * @param nanos time spent in the calls
   */
  public record Counts(
      long requests, long misses, long failures, long bytesRead, long bytesWritten, long nanos) {

    /** No calls. */
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

    /** The sums over these calls and those of {@code other}. */
    public Counts plus(Counts other) {
      return new Counts(
          requests + other.requests,
          misses + other.misses,
          failures + other.failures,
          bytesRead + other.bytesRead,
          bytesWritten + other.bytesWritten,
          nanos + other.nanos);
    }

    /** The sums over those of these calls that are not among {@code other}, an earlier state. */
    public Counts minus(Counts other) {
      return new Counts(
          requests - other.requests,
          misses - other.misses,
          failures - other.failures,
          bytesRead - other.bytesRead,
          bytesWritten - other.bytesWritten,
          nanos - other.nanos);
    }
  }

  /** Keeps a copy of {@code counts}. */
  public StoreMetrics {
    counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
  }

  /** The sums over all calls. */
  public Counts total() {
    return counts.values().stream().reduce(Counts.NONE, Counts::plus);
  }

  /** The sums for each operation that was called. */
  public SortedMap<Operation, Counts> byOperation() {
    return by(Call::operation);
  }

  /** The sums for each first part of a key. */
  public SortedMap<String, Counts> byArea() {
    return by(Call::area);
  }

  /** What was counted between {@code earlier}, of the same store, and this. */
  public StoreMetrics minus(StoreMetrics earlier) {
    TreeMap<Call, Counts> difference = new TreeMap<>();
    counts.forEach(
        (call, sums) -> {
          Counts rest = sums.minus(earlier.counts.getOrDefault(call, Counts.NONE));
          if (!rest.equals(Counts.NONE)) {
            difference.put(call, rest);
          }
        });
    return new StoreMetrics(difference);
  }

  private <K extends Comparable<K>> SortedMap<K, Counts> by(Function<Call, K> key) {
    TreeMap<K, Counts> sums = new TreeMap<>();
    counts.forEach((call, count) -> sums.merge(key.apply(call), count, Counts::plus));
    return Collections.unmodifiableSortedMap(sums);
  }
}
