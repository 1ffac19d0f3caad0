// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Where a namespace is in a store of buckets: {@code scheme://bucket/prefix?options}.
 *
 * @param bucket the bucket, or container
 * @param prefix what all keys start with: empty, or ending in {@code /}
 */
public record BucketPlace(String bucket, String prefix) {
  /** Of the 1,024 bytes that a key may have, 768 are the store's own. */
  private static final int PREFIX_BYTES_MAX = 256;

  /**
   * Reads the place from a URI.
   *
   * @throws IllegalArgumentException if it is written otherwise, or holds credentials
   */
  public static BucketPlace of(URI uri) {
    String bucket = uri.getAuthority();
    if (bucket == null || uri.getPath() == null || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          ("write the place as %s://bucket/prefix, with %%3F for '?', %%23 for '#' and %%20 for a"
                  + " blank")
              .formatted(uri.getScheme()));
    }
    if (bucket.contains("@") || bucket.contains(":")) {
      throw new IllegalArgumentException(
          ("what stands behind %s:// is the name of a bucket alone: credentials come from the"
                  + " environment, and a server from the option 'endpoint'")
              .formatted(uri.getScheme()));
    }
    String path = uri.getPath().replaceFirst("^/", "").replaceFirst("/$", "");
    if (path.startsWith("/") || path.endsWith("/") || path.contains("//")) {
      throw new IllegalArgumentException("a prefix has no empty parts: '%s'".formatted(path));
    }
    String prefix = path.isEmpty() ? "" : path + "/";
    int length = prefix.getBytes(StandardCharsets.UTF_8).length;
    if (length > PREFIX_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a prefix has at most %d bytes, not %d".formatted(PREFIX_BYTES_MAX, length));
    }
    return new BucketPlace(bucket, prefix);
  }

  /** The name of the object of a key. */
  public String object(String key) {
    return prefix + key;
  }

  /** The key of an object below the prefix. */
  public String key(String object) {
    return object.substring(prefix.length());
  }
}
