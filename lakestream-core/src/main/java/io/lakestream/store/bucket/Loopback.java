// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

import java.util.List;
import java.util.Locale;

/** Tells this machine from others, by the names alone: nothing is looked up. */
public final class Loopback {
  private static final List<String> NAMES = List.of("localhost", "::1", "[::1]");

  private Loopback() {}

  /** Whether a URI's host is this machine, so that what is sent there crosses no network. */
  public static boolean isHost(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return NAMES.contains(name)
        || name.endsWith(".localhost")
        || name.matches("127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}");
  }
}
