// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A flat namespace of immutable byte objects: all that Lakestream needs from storage. Every
 * guarantee below is checked by {@code ObjectStoreContract} of the testkit, which a store passes
 * whole or not at all.
 *
 * <ul>
 *   <li><b>Atomic.</b> A reader sees a whole object or none, whatever happens to the writer.
 *   <li><b>Durable.</b> Once a put returns {@link PutOutcome#CREATED} (or returns at all, for the
 *       unconditional put), the object survives what the store promises to survive.
 *   <li><b>Read after write.</b> From then on every read and every listing, from any process, finds
 *       it.
 *   <li><b>One winner.</b> Of all {@link #putIfAbsent} on one key, from any number of processes, at
 *       most one creates the object as long as nobody deletes it.
 * </ul>
 *
 * <p>Not promised: the order of listings, time stamps, or that a deleted key stays absent.
 *
 * <p><b>Keys</b> are relative paths of non-empty parts joined by {@code /}; no part is {@code .} or
 * {@code ..}. Generated names use {@code [a-z0-9=._-]}; a store must take any printable ASCII, keys
 * of 768 characters and parts of 200. It may refuse any call with a key that is the folder of
 * another, such as {@code a} beside {@code a/b}.
 *
 * <p><b>Errors.</b> Expected answers are values: an absent object is an empty result. Everything
 * else is an {@link IOException} whose message holds operation and key; {@link
 * TransientStoreException} if another attempt may succeed, of the kind {@link ThrottledException}
 * if it was refused for being one too many. A {@code putIfAbsent} throws only when it certainly had
 * no effect and never will have; if in doubt it answers {@link PutOutcome#UNKNOWN}. A bad key or
 * prefix and a negative range are an {@link IllegalArgumentException}; a call after {@link #close}
 * is an {@link IOException}.
 *
 * <p>All methods block and may be called from any number of threads.
 */
public interface ObjectStore extends Closeable {

  /**
   * Creates an object if its key is free.
   *
   * @throws IOException if the object was certainly not created and never will be by this call
   */
  PutOutcome putIfAbsent(String key, Body body) throws IOException;

  /**
   * Creates or replaces an object. A failure leaves the old object, the new one or none, never a
   * mixture; the put may still take effect after the failure.
   */
  void put(String key, Body body) throws IOException;

  /** The whole object in a buffer of the caller's own, or empty if there is none. */
  Optional<ByteBuffer> read(String key) throws IOException;

  /**
   * The bytes {@code [offset, offset + length)} of an object, or empty if there is no object. The
   * result is shorter than {@code length} exactly if the object ends before.
   */
  Optional<ByteBuffer> read(String key, long offset, int length) throws IOException;

  /**
   * The last {@code length} bytes of an object, or the whole of a shorter one; empty if there is no
   * object.
   */
  Optional<ByteBuffer> readSuffix(String key, int length) throws IOException;

  /** The length of an object in bytes, or empty if there is none. */
  OptionalLong size(String key) throws IOException;

  /**
   * Lists the objects whose key starts with {@code prefix}, page by page, in any order. An object
   * that exists during the whole listing is in exactly one of its pages.
   *
   * @param prefix a key prefix that is empty or ends in {@code /}
   * @param continuation {@link ListPage#next} of the page before, empty for the first page
   */
  ListPage list(String prefix, Optional<String> continuation) throws IOException;

  /**
   * Deletes objects; an absent one counts as deleted.
   *
   * @return those that could not be deleted, each with its reason
   * @throws IOException if nothing is known of any of them
   */
  List<DeleteFailure> delete(List<String> keys) throws IOException;

  /** Gives back what the store holds (connections, threads). Calls after this fail. */
  @Override
  void close() throws IOException;
}
