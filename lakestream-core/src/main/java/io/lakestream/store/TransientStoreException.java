// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;

/**
 * A failure that another attempt may not meet: throttling, a 5xx answer, a connection that broke. A
 * store throws any other {@link IOException} only for what a repeat would meet again.
 *
 * <p>The one kind that is told apart is {@link ThrottledException}: after it, fewer calls should be
 * under way. After all others the same call may simply be made again.
 */
public sealed class TransientStoreException extends IOException permits ThrottledException {
  private static final long serialVersionUID = 1L;

  /** A failure described by {@code message}, which names the operation and the key. */
  public TransientStoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /** A failure described by {@code message}, which names the operation and the key. */
  public TransientStoreException(String message) {
    super(message);
  }
}
