// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Optional;

/** A map that forgets what was not used for longest. For use by one thread. */
public final class RecentMap<K, V> {
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD = 0.75f;

  private final LinkedHashMap<K, V> entries = new LinkedHashMap<>(INITIAL_CAPACITY, LOAD, true);
  private final int capacity;

  /** A map of at most {@code capacity} entries. */
  public RecentMap(int capacity) {
    this.capacity = capacity;
  }

  /** What was last put for a key, unless it is forgotten. */
  public Optional<V> get(K key) {
    return Optional.ofNullable(entries.get(key));
  }

  /** Where a value comes from that is not there; empty if it has none. */
  @FunctionalInterface
  public interface Source<V> {
    Optional<V> find() throws IOException;
  }

  /** The value of a key, from {@code source} and remembered if it is not there. */
  public Optional<V> get(K key, Source<V> source) throws IOException {
    Optional<V> known = get(key);
    if (known.isPresent()) {
      return known;
    }
    Optional<V> found = source.find();
    found.ifPresent(value -> put(key, value));
    return found;
  }

  /** Whether a key is there; that does not count as use. */
  public boolean has(K key) {
    return entries.containsKey(key);
  }

  /** Puts a value, forgetting another if the map is full. */
  public void put(K key, V value) {
    var unused = entries.put(key, value);
    if (entries.size() > capacity) {
      Iterator<K> eldest = entries.keySet().iterator();
      var ignored = eldest.next();
      eldest.remove();
    }
  }
}
