// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.InvalidRequest;

/**
 * Where decoding meets what no writer of this format wrote: bytes that are no message, values that
 * a record refuses, numbers that overflow. All of it becomes one {@link CorruptObject}, so that no
 * caller meets anything else.
 */
final class Decoding {
  private Decoding() {}

  /** Makes a value of bytes whose checksum was right. */
  @FunctionalInterface
  interface Step<T> {
    T run() throws InvalidProtocolBufferException;
  }

  /**
   * What {@code step} makes.
   *
   * @param key the object's key, for messages
   * @param place the part of the object, for messages
   * @param expected what it should be, for messages
   * @throws CorruptObject if it makes nothing
   */
  static <T> T of(String key, String place, String expected, Step<T> step) {
    try {
      return step.run();
    } catch (InvalidProtocolBufferException
        | InvalidRequest
        | ArithmeticException
        | IndexOutOfBoundsException
        | NumberFormatException
        | MalformedRecord e) {
      throw new CorruptObject(key, place, expected, String.valueOf(e.getMessage()));
    }
  }
}
