// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import java.util.Arrays;
import java.util.Optional;

/** The kinds of stored objects, as the fifth byte of each object says. */
public enum ObjectKind {
  MANIFEST('M'),
  SEGMENT('S'),
  NODE('N'),
  ARCHIVE('A'),
  BOUNDARY('B'),
  HINT('H'),
  PIN('P'),
  GENERATION('G'),
  TGB('T');

  private final byte code;

  ObjectKind(char code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }

  static Optional<ObjectKind> of(byte code) {
    return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
  }
}
