// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.util.List;
import java.util.Optional;

/**
 * One page of a listing.
 *
 * @param entries objects, in no particular order
 * @param next what to pass to the next call, or empty when the listing is complete
 */
public record ListPage(List<ObjectEntry> entries, Optional<String> next) {
  public ListPage {
    entries = List.copyOf(entries);
  }
}
