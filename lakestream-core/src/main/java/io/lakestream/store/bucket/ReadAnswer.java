// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/** What a store answered to a request for bytes of an object. */
public sealed interface ReadAnswer extends Closeable {
  @Override
  default void close() throws IOException {}

  /** There is no such object. */
  record Missing() implements ReadAnswer {}

  /** The object ends before the range begins. */
  record BeyondEnd() implements ReadAnswer {}

  /** The object is not the one any more whose beginning was read. */
  record Replaced() implements ReadAnswer {}

  /**
   * Bytes of the object.
   *
   * @param start place of the first one in the object
   * @param length how many the store says that it sends
   * @param total how many the object has
   * @param tag names this content of the object
   * @param body the bytes
   * @param abandon gives up the rest of the body, which {@code close} might read to its end
   */
  record Part(long start, long length, long total, String tag, InputStream body, Runnable abandon)
      implements ReadAnswer {
    @Override
    public void close() throws IOException {
      body.close();
    }
  }
}
