// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import java.util.Set;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Refuses to send anything beyond this machine that is not encrypted. */
final class TlsOnly implements ExecutionInterceptor {
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    SdkHttpRequest request = context.httpRequest();
    String host = request.host();
    boolean isHere =
        THIS_MACHINE.contains(host) || host.startsWith("127.") || host.endsWith(".localhost");
    if (request.protocol().equals("http") && !isHere) {
      throw SdkClientException.create(
          "plain HTTP to %s is refused: use an https endpoint, or allow it by transport=any"
              .formatted(host));
    }
  }
}
