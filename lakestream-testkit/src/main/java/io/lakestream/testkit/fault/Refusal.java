// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

/** How the servers of a vendor say that they are asked too much. */
public enum Refusal {
  /** 503 SlowDown of S3 and of what speaks its protocol. */
  S3(
      "503 Slow Down",
      "Content-Type: application/xml",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message>\
      <RequestId>0000000000000000</RequestId></Error>\
      """),
  /** 429 of the JSON interface of Google Cloud Storage. */
  GCS(
      "429 Too Many Requests",
      "Content-Type: application/json; charset=UTF-8",
      """
      {"error": {"code": 429, "message": "The rate of requests is too high.", "errors": [\
      {"message": "The rate of requests is too high.", "domain": "usageLimits",\
       "reason": "rateLimitExceeded"}]}}\
      """),
  /** 503 ServerBusy of Azure's blobs. */
  AZURE(
      "503 The server is busy.",
      "Content-Type: application/xml\r\nx-ms-error-code: ServerBusy",
      """
      <?xml version="1.0" encoding="utf-8"?>
      <Error><Code>ServerBusy</Code><Message>The server is busy.</Message></Error>\
      """);

  private final String status;
  private final String headers;
  private final String body;

  Refusal(String status, String headers, String body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** The reply to a request of a method. */
  byte[] reply(String method) {
    String head =
        "HTTP/1.1 %s\r\n%s\r\nContent-Length: %d\r\n\r\n"
            .formatted(status, headers, body.getBytes(UTF_8).length);
    return (method.equals("HEAD") ? head : head + body).getBytes(UTF_8);
  }
}
