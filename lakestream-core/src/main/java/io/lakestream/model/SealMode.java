// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** Whether a stream may get its end while others still produce. */
public enum SealMode {
  /** Refused while another producer is active. */
  WHEN_ALONE,

  /** Other producers are cut off: what they have not published is lost to the stream. */
  FORCED
}
