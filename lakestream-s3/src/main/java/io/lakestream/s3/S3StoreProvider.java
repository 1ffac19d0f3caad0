// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreProvider;
import io.lakestream.store.bucket.BucketPlace;
import java.net.URI;

/**
 * Opens {@code s3://bucket/prefix}. Its options are those of {@link S3Settings}; what is not given
 * comes from where the vendor's SDK looks for it (environment, profile, container, machine), and
 * credentials always do, anew for each attempt.
 */
public final class S3StoreProvider implements StoreProvider {
  /** For the service loader. */
  public S3StoreProvider() {}

  @Override
  public String scheme() {
    return "s3";
  }

  @Override
  public ObjectStore open(URI uri) {
    BucketPlace place = BucketPlace.of(uri);
    S3Settings settings = S3Settings.of(uri);
    return settings
        .hedging()
        .around(new S3Store(S3Clients.client(settings), place, settings.encryption()));
  }
}
