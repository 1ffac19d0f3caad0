// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.InvalidRequest;
import io.lakestream.s3.S3Settings.Checksums;
import io.lakestream.s3.S3Settings.Transport;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.Stores;
import io.lakestream.store.bucket.Hedging;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a URI says, and what it may not. */
final class S3SettingsTest {
  @BeforeAll
  static void setCredentials() {
    S3ProxyServer.setCredentials();
  }

  @Test
  void theDefaultsAreAmazons() {
    S3Settings settings = S3Settings.of(URI.create("s3://bucket/p"));
    assertThat(settings.region()).isEmpty();
    assertThat(settings.endpoint()).isEmpty();
    assertThat(settings.isPathStyle()).isFalse();
    assertThat(settings.checksums()).isEqualTo(Checksums.ALL);
    assertThat(settings.transport()).isEqualTo(Transport.TLS);
    assertThat(settings.hedging()).isEqualTo(Hedging.ON);
  }

  @Test
  void aServerOfOnesOwnIsReachedByPathAndWithoutTheSdksChecksums() {
    S3Settings settings = S3Settings.of(URI.create("s3://b/p?endpoint=https://store:9000"));
    assertThat(settings.endpoint()).contains(URI.create("https://store:9000"));
    assertThat(settings.isPathStyle()).isTrue();
    assertThat(settings.checksums()).isEqualTo(Checksums.NEEDED);
  }

  @Test
  void whatIsGivenCounts() {
    S3Settings settings =
        S3Settings.of(
            URI.create(
                "s3://b/p?endpoint=http://store&pathStyle=false&checksums=all&transport=any"
                    + "&region=eu-west-1&sse=aws:kms&kmsKey=k&hedging=off"));
    assertThat(settings.isPathStyle()).isFalse();
    assertThat(settings.checksums()).isEqualTo(Checksums.ALL);
    assertThat(settings.transport()).isEqualTo(Transport.ANY);
    assertThat(settings.region()).contains("eu-west-1");
    assertThat(settings.encryption().algorithm()).contains("aws:kms");
    assertThat(settings.encryption().kmsKey()).contains("k");
    assertThat(settings.hedging()).isEqualTo(Hedging.OFF);
  }

  @ParameterizedTest
  @CsvSource({
    "pathStyle=yes, option 'pathStyle' is true or false",
    "checksums=none, option 'checksums' is all or needed",
    "transport=http, option 'transport' is any or tls",
    "hedging=maybe, option 'hedging' is on or off",
    "endpoint=store:9000, option 'endpoint' is http://host:port",
    "endpoint=ftp://store, option 'endpoint' is http://host:port",
    "kmsKey=k, option 'kmsKey' needs sse=aws:kms",
    "secretKey=S3cret, unknown option 'secretKey'",
  })
  void whatCannotBeIsRefusedByItsName(String option, String message) {
    assertThatThrownBy(() -> Stores.open("s3://bucket/p?" + option))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("S3cret");
  }

  @Test
  void credentialsInAUriAreRefusedAndNotRepeated() {
    assertThatThrownBy(() -> Stores.open("s3://AKIA:S3cret@bucket/p"))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("credentials come from the environment")
        .hasMessageNotContaining("S3cret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3:bucket/p", "s3:///p", "s3://bucket/p#x", "s3://bucket/a//b"})
  void whatIsNoPlaceIsRefused(String place) {
    assertThatThrownBy(() -> Stores.open(place)).isInstanceOf(InvalidRequest.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%20b", "100%25", "a+b", "a%23b", "a%3Fb", "k=v", "gr%C3%B6%C3%9Fe", ""})
  void aPrefixMayHoldAnything(String prefix) throws IOException {
    String place = S3ProxyServer.freshPlace();
    int options = place.indexOf('?');
    String below = prefix.isEmpty() ? "" : "/" + prefix;
    try (ObjectStore store =
        Stores.open(place.substring(0, options) + below + place.substring(options))) {
      store.put("a/k", Body.of(new byte[] {1}));
      assertThat(store.size("a/k")).hasValue(1);
      assertThat(store.list("a/", Optional.empty()).entries()).hasSize(1);
      assertThat(store.delete(List.of("a/k"))).isEmpty();
      assertThat(store.size("a/k")).isEmpty();
    }
  }

  @Test
  void nothingIsSentInTheClearBeyondThisMachine() throws IOException {
    try (ObjectStore store = Stores.open("s3://bucket/p?endpoint=http://store.example")) {
      assertThatThrownBy(() -> store.read("k")).hasMessageContaining("plain HTTP to store.example");
    }
  }

  @Test
  void encryptionIsAskedForWithEveryPut() throws IOException {
    try (StubServer server = new StubServer(StubServer.status(200));
        ObjectStore store = server.store("&sse=aws:kms&kmsKey=key-1")) {
      store.put("k", Body.of(new byte[] {1}));
      assertThat(server.requests().get(0).headers())
          .containsEntry("x-amz-server-side-encryption", "aws:kms")
          .containsEntry("x-amz-server-side-encryption-aws-kms-key-id", "key-1");
    }
  }
}
