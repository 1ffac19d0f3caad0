// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

/** What goes wrong with one request between a client and a server, and its reply. */
public enum WireFault {
  /** The server does what it is asked; the connection breaks before a byte of the reply. */
  LOST_REPLY,
  /** The request reaches nobody, and is answered as by a server that is asked too much. */
  REFUSED,
  /** The request is held up for the time of the rule before any of it reaches the server. */
  STALLED_REQUEST,
  /** The server does what it is asked; its reply is held up for the time of the rule. */
  STALLED_REPLY,
  /** The connection breaks in the middle of the body of the request, before it if it has none. */
  CUT_REQUEST,
  /** The connection breaks in the middle of the body of the reply, before it if it has none. */
  CUT_REPLY,
  /** The request is held up for a random time up to that of the rule. */
  DELAYED
}
