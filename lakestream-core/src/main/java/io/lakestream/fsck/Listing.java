// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.store.Listings;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.function.Consumer;

/** Lists the objects of a namespace by what their keys start with, and counts what is told of. */
final class Listing {
  private final ObjectStore store;
  private long objects;
  private long bytes;

  Listing(ObjectStore store) {
    this.store = store;
  }

  /**
   * Visits the objects of a folder, in any order.
   *
   * @param folder a key prefix that ends in {@code /}
   */
  void visit(String folder, Consumer<ObjectEntry> visitor)
      throws IOException, InterruptedException {
    stopIfInterrupted();
    Listings.<InterruptedException>visit(
        store,
        folder,
        page -> {
          stopIfInterrupted();
          page.forEach(visitor);
        });
  }

  private static void stopIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("the check was interrupted");
    }
  }

  /** Counts all objects of a folder. */
  Tally tally(String folder) throws IOException, InterruptedException {
    Tally tally = new Tally();
    visit(folder, tally::add);
    return tally;
  }

  /** All objects of a folder, which are counted. */
  Listed list(String folder) throws IOException, InterruptedException {
    Listed listed = new Listed();
    visit(folder, listed::add);
    count(listed.unreferenced());
    return listed;
  }

  /** Counts objects that are not listed again. */
  void count(Tally tally) {
    objects += tally.objects();
    bytes += tally.bytes();
  }

  long objects() {
    return objects;
  }

  long bytes() {
    return bytes;
  }
}
