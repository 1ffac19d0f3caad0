// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.s3.S3Settings.Checksums;
import io.lakestream.s3.S3Settings.Transport;
import io.lakestream.store.bucket.AttemptLimits;
import java.net.URI;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Clients as a store needs them. They repeat nothing: a repeat of a conditional put whose reply was
 * lost is refused because of itself, and only the caller can tell (AWS SDK for Java issue 6580).
 */
final class S3Clients {
  /** One for each call that may be under way; what is beyond waits. */
  private static final int CONNECTIONS_MAX = 128;

  private S3Clients() {}

  /**
   * A client.
   *
   * @throws IllegalArgumentException if it is not known where the bucket is
   */
  static S3Client client(S3Settings settings) {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(region(settings))
            .forcePathStyle(settings.isPathStyle())
            .httpClientBuilder(
                Apache5HttpClient.builder()
                    .maxConnections(CONNECTIONS_MAX)
                    .connectionTimeout(AttemptLimits.CONNECT)
                    .socketTimeout(AttemptLimits.SILENCE))
            .overrideConfiguration(override(settings.transport()));
    settings.endpoint().map(URI::toString).map(URI::create).ifPresent(builder::endpointOverride);
    if (settings.checksums() == Checksums.NEEDED) {
      builder
          .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
          .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
          .serviceConfiguration(service -> service.chunkedEncodingEnabled(false));
    }
    return builder.build();
  }

  private static ClientOverrideConfiguration override(Transport transport) {
    ClientOverrideConfiguration.Builder builder =
        ClientOverrideConfiguration.builder().retryStrategy(AwsRetryStrategy.doNotRetry());
    if (transport == Transport.TLS) {
      builder.addExecutionInterceptor(new TlsOnly());
    }
    return builder.build();
  }

  private static Region region(S3Settings settings) {
    if (settings.region().isPresent()) {
      return Region.of(settings.region().get());
    }
    try {
      return DefaultAwsRegionProviderChain.builder().build().getRegion();
    } catch (SdkClientException e) {
      if (settings.endpoint().isPresent()) {
        return Region.US_EAST_1; // What servers of one's own expect.
      }
      throw new IllegalArgumentException(
          "it is not known in which region the bucket is: give the option 'region', or set"
              + " AWS_REGION",
          e);
    }
  }
}
