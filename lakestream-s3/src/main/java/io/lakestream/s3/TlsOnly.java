// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.bucket.Loopback;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Refuses to send anything beyond this machine that is not encrypted. */
final class TlsOnly implements ExecutionInterceptor {
  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    SdkHttpRequest request = context.httpRequest();
    String host = request.host();
    if (request.protocol().equals("http") && !Loopback.isHost(host)) {
      throw SdkClientException.create(
          "plain HTTP to %s is refused: use an https endpoint, or allow it by transport=any"
              .formatted(host));
    }
  }
}
