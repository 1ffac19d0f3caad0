// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import java.net.URI;

/**
 * Where a namespace is.
 *
 * @param bucket the bucket
 * @param prefix what all keys start with: empty, or ending in {@code /}
 */
record S3Place(String bucket, String prefix) {
  /** Of the 1,024 bytes that a key may have, 768 are the store's own. */
  private static final int PREFIX_BYTES_MAX = 256;

  /**
   * Reads {@code s3://bucket/prefix}.
   *
   * @throws IllegalArgumentException if it is written otherwise
   */
  static S3Place of(URI uri) {
    String bucket = uri.getAuthority();
    if (bucket == null || uri.getPath() == null || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          "write a place in S3 as s3://bucket/prefix, with %3F for '?', %23 for '#' and %20 for a"
              + " blank");
    }
    if (bucket.contains("@") || bucket.contains(":")) {
      throw new IllegalArgumentException(
          "what stands behind s3:// is the name of a bucket alone: credentials come from the"
              + " environment, and a server from the option 'endpoint'");
    }
    String path = uri.getPath().replaceFirst("^/", "").replaceFirst("/$", "");
    if (path.startsWith("/") || path.endsWith("/") || path.contains("//")) {
      throw new IllegalArgumentException("a prefix has no empty parts: '%s'".formatted(path));
    }
    String prefix = path.isEmpty() ? "" : path + "/";
    int length = prefix.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
    if (length > PREFIX_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a prefix has at most %d bytes, not %d".formatted(PREFIX_BYTES_MAX, length));
    }
    return new S3Place(bucket, prefix);
  }

  /** The object of a key. */
  String object(String key) {
    return prefix + key;
  }

  /** The key of an object below the prefix. */
  String key(String object) {
    return object.substring(prefix.length());
  }
}
