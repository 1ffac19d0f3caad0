// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.store.ObjectStore;
import io.lakestream.store.Stores;
import io.lakestream.testkit.ObjectStoreContract;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * A real service carries a stream: the one whose bucket and prefix the environment names, such as
 * {@code s3://bucket/prefix?region=eu-west-1}.
 */
@Tag("cloud")
final class S3CloudContractTest extends ObjectStoreContract {
  private static final String PLACE = "LAKESTREAM_S3_PLACE";

  private final String place = fresh(System.getenv().getOrDefault(PLACE, ""));

  @BeforeAll
  static void requirePlace() {
    assertThat(System.getenv()).as("set %s to a place to test in", PLACE).containsKey(PLACE);
  }

  @Override
  public ObjectStore open() {
    return Stores.open(place);
  }

  private static String fresh(String place) {
    int options = place.indexOf('?') < 0 ? place.length() : place.indexOf('?');
    return "%s/%s%s"
        .formatted(place.substring(0, options), UUID.randomUUID(), place.substring(options));
  }
}
