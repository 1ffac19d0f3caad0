// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.StoreOptions;
import io.lakestream.store.bucket.Hedging;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * How a bucket is reached: the options of its URI.
 *
 * @param region {@code region}: where the bucket is; by default as the SDK finds it, and {@code
 *     us-east-1} for a server of one's own
 * @param endpoint {@code endpoint}: the server, if it is not Amazon's
 * @param isPathStyle {@code pathStyle}: whether the bucket's name goes to the path instead of the
 *     host's name; by default for a server of one's own
 * @param checksums {@code checksums}: {@code all}, by default for Amazon's, or {@code needed}:
 *     several other servers refuse the SDK's own checksums
 * @param transport {@code transport}: {@code tls}, or {@code any}, which allows plain HTTP beyond
 *     this machine
 * @param encryption {@code sse} and {@code kmsKey}: how objects are encrypted at rest
 * @param hedging {@code hedging}: whether reads that hang are asked for again
 */
record S3Settings(
    Optional<String> region,
    Optional<URI> endpoint,
    boolean isPathStyle,
    Checksums checksums,
    Transport transport,
    Encryption encryption,
    Hedging hedging) {

  /** Which requests have a checksum of the SDK. */
  enum Checksums {
    ALL,
    NEEDED
  }

  /** What requests may travel over. */
  enum Transport {
    TLS,
    ANY
  }

  /**
   * Encryption at rest.
   *
   * @param algorithm such as {@code AES256} or {@code aws:kms}; the bucket's own if empty
   * @param kmsKey the key, for {@code aws:kms}; the account's own if empty
   */
  record Encryption(Optional<String> algorithm, Optional<String> kmsKey) {}

  /**
   * Reads the options of a URI.
   *
   * @throws IllegalArgumentException if one is unknown or cannot be so
   */
  static S3Settings of(URI uri) {
    StoreOptions options =
        StoreOptions.of(
            uri,
            "region",
            "endpoint",
            "pathStyle",
            "checksums",
            "transport",
            "sse",
            "kmsKey",
            Hedging.OPTION);
    Optional<URI> endpoint = options.value("endpoint").map(S3Settings::endpoint);
    Encryption encryption = new Encryption(options.value("sse"), options.value("kmsKey"));
    if (encryption.kmsKey.isPresent() && !encryption.algorithm.equals(Optional.of("aws:kms"))) {
      throw new IllegalArgumentException("option 'kmsKey' needs sse=aws:kms");
    }
    return new S3Settings(
        options.value("region"),
        endpoint,
        one(options, "pathStyle", "true", "false", endpoint.isPresent()),
        one(options, "checksums", "all", "needed", endpoint.isEmpty())
            ? Checksums.ALL
            : Checksums.NEEDED,
        one(options, "transport", "any", "tls", false) ? Transport.ANY : Transport.TLS,
        encryption,
        Hedging.of(options));
  }

  private static URI endpoint(String text) {
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null && uri.getUserInfo() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("option 'endpoint': " + e.getMessage(), e);
    }
    throw new IllegalArgumentException(
        "option 'endpoint' is http://host:port or https://host, not '%s'".formatted(text));
  }

  private static boolean one(
      StoreOptions options, String name, String yes, String no, boolean otherwise) {
    Optional<String> value = options.value(name);
    if (value.isPresent() && !value.get().equals(yes) && !value.get().equals(no)) {
      throw new IllegalArgumentException(
          "option '%s' is %s or %s, not '%s'".formatted(name, yes, no, value.get()));
    }
    return value.map(yes::equals).orElse(otherwise);
  }
}
