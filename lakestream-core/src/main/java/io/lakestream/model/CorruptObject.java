// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/** Stored bytes are not what was written; restore the object from another copy. */
public final class CorruptObject extends LakestreamException {
  private static final long serialVersionUID = 1L;

  /**
   * @param object the object's key
   * @param range which bytes were looked at, for people
   * @param expected what should have been there
   * @param found what was there
   */
  public CorruptObject(String object, String range, String expected, String found) {
    super(
        "%s is corrupt at %s: expected %s, found %s; restore the object from a copy"
            .formatted(object, range, expected, found));
  }
}
