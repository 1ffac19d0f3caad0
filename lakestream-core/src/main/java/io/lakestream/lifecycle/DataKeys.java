// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.Descriptor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Which keys are referred to, in eight bytes each: as hashes. Two keys of one hash look referred to
 * if one is, so what is asked for may stay that could go, and never the other way round.
 */
final class DataKeys {
  private static final int FIRST_CAPACITY = 1 << 10;

  private final MessageDigest digest;
  private long[] hashes = new long[FIRST_CAPACITY];
  private int count;
  private boolean isSorted = true;

  DataKeys() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** Adds all objects that a step refers to. */
  void add(Descriptor descriptor) {
    descriptor.objectKeys().forEach(this::add);
    add(descriptor.provenanceKey());
  }

  private void add(String key) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, Math.multiplyExact(2, count));
    }
    hashes[count++] = hash(key);
    isSorted = false;
  }

  boolean contains(String key) {
    if (!isSorted) {
      Arrays.sort(hashes, 0, count);
      isSorted = true;
    }
    return Arrays.binarySearch(hashes, 0, count, hash(key)) >= 0;
  }

  private long hash(String key) {
    return ByteBuffer.wrap(digest.digest(key.getBytes(StandardCharsets.UTF_8))).getLong();
  }
}
