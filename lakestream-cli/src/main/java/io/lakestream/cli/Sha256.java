// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in hexadecimal, of bytes that come at once or one after the other. */
public final class Sha256 {
  private final MessageDigest digest;

  /** Of nothing yet. */
  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Of these bytes. */
  public static String of(ByteBuffer bytes) {
    Sha256 hash = new Sha256();
    hash.digest.update(bytes);
    return hash.finish();
  }

  /** Takes the next bytes. */
  public void add(byte[] bytes) {
    digest.update(bytes);
  }

  /** The hash of all bytes; then it begins anew. */
  public String finish() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
