// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

/** An object that a version refers to is not there: reclaimed if the version is dead, else lost. */
final class MissingObject extends Exception {
  private static final long serialVersionUID = 1L;

  private final String key;

  MissingObject(String key) {
    super(key + " is missing");
    this.key = key;
  }

  String key() {
    return key;
  }
}
