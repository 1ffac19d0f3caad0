// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;

/** What happened, event by event: a hash of all of it, and the last events as text. */
final class Trace {
  /** Enough to see how a violation came about. */
  private static final int EVENTS_KEPT = 200;

  private static final double NANOS_PER_MILLI = 1e6;

  private final ArrayDeque<Event> last = new ArrayDeque<>();
  private final CRC32C hash = new CRC32C();
  private long events;

  private record Event(long nanos, String what) {
    String text() {
      return String.format(Locale.ROOT, "%12.3f ms  %s", nanos / NANOS_PER_MILLI, what);
    }
  }

  void add(long nanos, String what) {
    Event event = new Event(nanos, what);
    byte[] bytes = (nanos + " " + what).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    hash.update(bytes);
    events++;
    if (last.size() == EVENTS_KEPT) {
      Event unused = last.remove();
    }
    last.add(event);
  }

  /** Equal for equal runs. */
  String fingerprint() {
    return events + "/" + Long.toHexString(hash.getValue());
  }

  List<String> lastEvents() {
    return last.stream().map(Event::text).toList();
  }
}
