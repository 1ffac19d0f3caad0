// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.StoreUnavailable;

/**
 * What the soak itself asks of the stream, beside everybody who is struck. Whoever loses too many
 * races, or is not told what came of a put, is to ask again, and nothing is wrong with the stream.
 */
final class Requests {
  /** Each has tried many times itself; more than that is no chance. */
  static final int TRIES_MAX = 10;

  private static final long PAUSE_MILLIS = 100;

  private Requests() {}

  /** A request that may be made again. */
  @FunctionalInterface
  interface Request<T> {
    T run() throws InterruptedException;
  }

  /**
   * Makes a request until it is answered.
   *
   * @throws LakestreamException the last answer, if that is to ask again too
   */
  static <T> T repeat(Request<T> request) throws InterruptedException {
    for (int i = 1; ; i++) {
      try {
        return request.run();
      } catch (CommitContended | CommitUnknown | StoreUnavailable e) {
        if (i == TRIES_MAX) {
          throw e;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }
}
