// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import org.jspecify.annotations.Nullable;

/**
 * The family of errors that the product's interface throws: one subclass for each different thing
 * that a caller should do about it. Messages say what failed, why, and what to do.
 */
public abstract sealed class LakestreamException extends RuntimeException
    permits CommitContended,
        CommitUnknown,
        CorruptObject,
        DataLoss,
        InvalidRequest,
        NamespaceExists,
        NamespaceNotFound,
        ProducerFenced,
        RankFenced,
        StepReclaimed,
        StoreUnavailable,
        StreamSealed,
        UnsupportedFormat,
        UnsupportedStore {
  private static final long serialVersionUID = 1L;

  LakestreamException(String message) {
    super(message);
  }

  LakestreamException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
