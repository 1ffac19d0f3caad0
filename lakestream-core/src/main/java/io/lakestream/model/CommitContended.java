// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * A commit lost every race for the next manifest version that it was allowed to enter. It did not
 * take effect; do the same again, with fewer producers or a policy that commits less often.
 */
public final class CommitContended extends LakestreamException {
  private static final long serialVersionUID = 1L;

  public CommitContended(String message) {
    super(message);
  }
}
