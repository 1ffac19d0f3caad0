// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.bucket.AttemptLimits;
import io.lakestream.store.bucket.ReadAnswer;
import io.lakestream.store.bucket.ResumedRead;
import io.lakestream.store.bucket.Span;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Requests for bytes of one object.
 *
 * @param client sends them
 * @param call names the read in messages
 * @param bucket the bucket
 * @param object the object's name in it
 */
record S3Read(S3Client client, String call, String bucket, String object)
    implements ResumedRead.Request {
  private static final Pattern RANGE =
      Pattern.compile("bytes ([0-9]{1,18})-[0-9]{1,18}/([0-9]{1,18})");

  /** What a whole object may have that is waited for as if it were of this length. */
  private static final long WHOLE_BYTES = 64L << 20;

  @Override
  public ReadAnswer send(Span span, Optional<String> tag) throws IOException {
    try {
      return part(client.getObject(request(span, tag)));
    } catch (SdkException e) {
      if (S3Errors.isMissing(e)) {
        return new ReadAnswer.Missing();
      }
      if (S3Errors.isBeyondEnd(e)) {
        return new ReadAnswer.BeyondEnd();
      }
      if (tag.isPresent() && S3Errors.isReplaced(e)) {
        return new ReadAnswer.Replaced();
      }
      throw S3Errors.failure(call, e);
    }
  }

  private GetObjectRequest request(Span span, Optional<String> tag) {
    boolean isWhole = span.kind() == Span.Kind.WHOLE;
    Duration limit = AttemptLimits.attempt(isWhole ? WHOLE_BYTES : span.length());
    GetObjectRequest.Builder request =
        GetObjectRequest.builder()
            .bucket(bucket)
            .key(object)
            .overrideConfiguration(
                limits -> limits.apiCallAttemptTimeout(limit).apiCallTimeout(limit));
    if (!isWhole) {
      request.range(span.header());
    }
    tag.ifPresent(request::ifMatch);
    return request.build();
  }

  private static ReadAnswer part(ResponseInputStream<GetObjectResponse> body) {
    GetObjectResponse response = body.response();
    Long length = response.contentLength();
    long count = length == null ? -1 : length;
    String range = response.contentRange();
    Matcher matcher = RANGE.matcher(range == null ? "" : range);
    boolean isRange = matcher.matches();
    return new ReadAnswer.Part(
        isRange ? Long.parseLong(matcher.group(1)) : 0,
        count,
        isRange ? Long.parseLong(matcher.group(2)) : count,
        String.valueOf(response.eTag()),
        body,
        body::abort);
  }
}
