// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import static java.lang.System.Logger.Level.WARNING;

import io.lakestream.store.Body;
import io.lakestream.store.bucket.BodyStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;

/** Puts of objects that are too long for one request, in parts. */
final class S3Uploads {
  private static final System.Logger LOG = System.getLogger(S3Uploads.class.getName());

  /** A store takes 10,000 parts at most. */
  private static final int PARTS_MAX = 10_000;

  private static final long PART_BYTES_MIN = 16 << 20;

  private final S3Client client;

  S3Uploads(S3Client client) {
    this.client = client;
  }

  /**
   * Puts an object, replacing what is there.
   *
   * @throws IOException if it failed; what was sent is removed if the store lets us
   */
  void put(String call, CreateMultipartUploadRequest object, Body body) throws IOException {
    String id;
    try {
      id = client.createMultipartUpload(object).uploadId();
    } catch (SdkException e) {
      throw S3Errors.failure(call, e);
    }
    boolean isDone = false;
    try {
      List<CompletedPart> parts = send(object, id, body);
      client.completeMultipartUpload(
          request ->
              request
                  .bucket(object.bucket())
                  .key(object.key())
                  .uploadId(id)
                  .multipartUpload(upload -> upload.parts(parts)));
      isDone = true;
    } catch (SdkException e) {
      throw S3Errors.failure(call, e);
    } finally {
      if (!isDone) {
        abort(object, id);
      }
    }
  }

  private List<CompletedPart> send(CreateMultipartUploadRequest object, String id, Body body) {
    long bytes = Math.max(PART_BYTES_MIN, (body.length() + PARTS_MAX - 1) / PARTS_MAX);
    List<CompletedPart> parts = new ArrayList<>();
    for (long at = 0; at < body.length(); at += bytes) {
      int number = parts.size() + 1;
      List<ByteBuffer> part = part(body, at, Math.min(bytes, body.length() - at));
      String tag =
          client
              .uploadPart(
                  request ->
                      request
                          .bucket(object.bucket())
                          .key(object.key())
                          .uploadId(id)
                          .partNumber(number),
                  content(Body.of(part)))
              .eTag();
      parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    }
    return parts;
  }

  /** A body as the SDK takes it, which reads it anew for each attempt. */
  static RequestBody content(Body body) {
    return RequestBody.fromContentProvider(
        () -> new BodyStream(body), body.length(), "application/octet-stream");
  }

  private static List<ByteBuffer> part(Body body, long from, long length) {
    List<ByteBuffer> part = new ArrayList<>();
    long skipped = 0;
    long left = length;
    for (ByteBuffer buffer : body.buffers()) {
      int size = buffer.remaining();
      int start = (int) Math.min(size, Math.max(0, from - skipped));
      int count = (int) Math.min(left, size - start);
      if (count > 0) {
        part.add(buffer.slice(buffer.position() + start, count));
        left -= count;
      }
      skipped += size;
    }
    return part;
  }

  private void abort(CreateMultipartUploadRequest object, String id) {
    try {
      client.abortMultipartUpload(
          request -> request.bucket(object.bucket()).key(object.key()).uploadId(id));
    } catch (SdkException e) {
      LOG.log(
          WARNING,
          "The parts of {0} that were sent stay until the bucket''s rule for incomplete uploads"
              + " removes them: {1}",
          object.key(),
          e.getMessage());
    }
  }
}
