// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The options of a store: the query of its URI, {@code ?name=value&name=value}, decoded. Immutable.
 */
public final class StoreOptions {
  private final SortedMap<String, String> values;

  private StoreOptions(SortedMap<String, String> values) {
    this.values = values;
  }

  /**
   * Reads the options of {@code uri}.
   *
   * @param known all options that the store has
   * @throws IllegalArgumentException if an option is none of these, is given twice or has no value
   */
  public static StoreOptions of(URI uri, String... known) {
    SortedMap<String, String> values = new TreeMap<>();
    String query = uri.getRawQuery();
    if (query != null && !query.isEmpty()) {
      for (String option : query.split("&", -1)) {
        add(values, option, List.of(known));
      }
    }
    return new StoreOptions(values);
  }

  /** The value of an option, or empty if the URI does not set it. */
  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  private static void add(SortedMap<String, String> values, String option, List<String> known) {
    int equals = option.indexOf('=');
    String name = decode(equals < 0 ? option : option.substring(0, equals));
    if (!known.contains(name)) {
      throw new IllegalArgumentException(
          "unknown option '"
              + name
              + "'; "
              + (known.isEmpty()
                  ? "this store has no options"
                  : "this store's options are: " + String.join(", ", known)));
    }
    if (equals < 0 || equals == option.length() - 1) {
      throw new IllegalArgumentException("option '" + name + "' has no value: write name=value");
    }
    if (values.put(name, decode(option.substring(equals + 1))) != null) {
      throw new IllegalArgumentException("option '" + name + "' is given twice");
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
