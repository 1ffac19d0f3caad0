// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The platform's SHA-256, which is always there. For use by one thread. */
public final class Sha256 {
  private final MessageDigest digest;

  /** The hash of no bytes. */
  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Adds all bytes of an array. */
  public Sha256 add(byte[] bytes) {
    digest.update(bytes);
    return this;
  }

  /** Adds the remaining bytes of a buffer, whose position stays where it is. */
  public Sha256 add(ByteBuffer bytes) {
    digest.update(bytes.duplicate());
    return this;
  }

  /** The hash so far, in hexadecimal. More may be added afterwards. */
  public String hex() {
    try {
      MessageDigest copy = (MessageDigest) digest.clone();
      return HexFormat.of().formatHex(copy.digest());
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("the platform's SHA-256 can be cloned", e);
    }
  }
}
