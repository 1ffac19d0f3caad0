// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.s3.S3Settings.Encryption;
import io.lakestream.store.Body;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.Keys;
import io.lakestream.store.ListPage;
import io.lakestream.store.ObjectEntry;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.bucket.AttemptLimits;
import io.lakestream.store.bucket.BatchedDeletes;
import io.lakestream.store.bucket.BucketPlace;
import io.lakestream.store.bucket.ResumedRead;
import io.lakestream.store.bucket.Span;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Error;

/**
 * A prefix of a bucket. The condition of {@link #putIfAbsent} is {@code If-None-Match: *} (Amazon
 * S3 user guide, "How to prevent object overwrites with conditional writes"). Nothing is repeated
 * here but the rest of a body that broke off.
 */
final class S3Store implements ObjectStore {
  /** Longest object that is put by one request; the store takes up to 5 GiB. */
  static final long WHOLE_BYTES_MAX = 64L << 20;

  /** Longest object of a conditional put, which is one request: S3 takes no longer one. */
  private static final long CONDITIONAL_BYTES_MAX = 5L << 30;

  private static final int DELETES_MAX = 1_000;

  private final S3Client client;
  private final BucketPlace place;
  private final Encryption encryption;
  private final S3Uploads uploads;
  private volatile boolean isClosed;

  S3Store(S3Client client, BucketPlace place, Encryption encryption) {
    this.client = client;
    this.place = place;
    this.encryption = encryption;
    this.uploads = new S3Uploads(client);
  }

  @Override
  public PutOutcome putIfAbsent(String key, Body body) throws IOException {
    String call = begin("putIfAbsent", key);
    if (body.length() > CONDITIONAL_BYTES_MAX) {
      throw new IOException(
          "%s: %d bytes are more than the store creates at once; make smaller objects"
              .formatted(call, body.length()));
    }
    try {
      var unused =
          client.putObject(request(key, body).ifNoneMatch("*").build(), S3Uploads.content(body));
      return PutOutcome.CREATED;
    } catch (SdkException e) {
      return S3Errors.outcome(call, e);
    }
  }

  @Override
  public void put(String key, Body body) throws IOException {
    String call = begin("put", key);
    if (body.length() > WHOLE_BYTES_MAX) {
      uploads.put(call, upload(key), body);
      return;
    }
    try {
      var unused = client.putObject(request(key, body).build(), S3Uploads.content(body));
    } catch (SdkException e) {
      throw S3Errors.failure(call, e);
    }
  }

  private PutObjectRequest.Builder request(String key, Body body) {
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(place.bucket())
            .key(place.object(key))
            .contentLength(body.length())
            .overrideConfiguration(within(body.length()));
    encryption.algorithm().ifPresent(request::serverSideEncryption);
    encryption.kmsKey().ifPresent(request::ssekmsKeyId);
    return request;
  }

  private CreateMultipartUploadRequest upload(String key) {
    CreateMultipartUploadRequest.Builder request =
        CreateMultipartUploadRequest.builder().bucket(place.bucket()).key(place.object(key));
    encryption.algorithm().ifPresent(request::serverSideEncryption);
    encryption.kmsKey().ifPresent(request::ssekmsKeyId);
    return request.build();
  }

  @Override
  public Optional<ByteBuffer> read(String key) throws IOException {
    return read("read", key, Span.whole());
  }

  @Override
  public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
    return read("read", key, Span.range(offset, length));
  }

  @Override
  public Optional<ByteBuffer> readSuffix(String key, int length) throws IOException {
    return read("readSuffix", key, Span.suffix(length));
  }

  private Optional<ByteBuffer> read(String operation, String key, Span span) throws IOException {
    String call = begin(operation, key);
    return span.length() == 0
        ? nothingOf(key)
        : ResumedRead.read(call, span, new S3Read(client, call, place.bucket(), place.object(key)));
  }

  /** A range of no bytes cannot be asked for. */
  private Optional<ByteBuffer> nothingOf(String key) throws IOException {
    return size(key).isPresent() ? Optional.of(ByteBuffer.allocate(0)) : Optional.empty();
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    String call = begin("size", key);
    HeadObjectRequest request =
        HeadObjectRequest.builder()
            .bucket(place.bucket())
            .key(place.object(key))
            .overrideConfiguration(within(0))
            .build();
    try {
      return OptionalLong.of(client.headObject(request).contentLength());
    } catch (SdkException e) {
      if (S3Errors.isMissing(e)) {
        return OptionalLong.empty();
      }
      throw S3Errors.failure(call, e);
    }
  }

  @Override
  public ListPage list(String prefix, Optional<String> continuation) throws IOException {
    requireOpen("list", prefix);
    ListObjectsV2Request request =
        ListObjectsV2Request.builder()
            .bucket(place.bucket())
            .prefix(place.object(Keys.requirePrefix(prefix)))
            .continuationToken(continuation.orElse(null))
            .overrideConfiguration(within(0))
            .build();
    try {
      ListObjectsV2Response page = client.listObjectsV2(request);
      List<ObjectEntry> entries =
          page.contents().stream()
              .map(object -> new ObjectEntry(place.key(object.key()), object.size()))
              .toList();
      return new ListPage(entries, Optional.ofNullable(page.nextContinuationToken()));
    } catch (SdkException e) {
      throw S3Errors.failure("list of '%s'".formatted(prefix), e);
    }
  }

  @Override
  public List<DeleteFailure> delete(List<String> keys) throws IOException {
    requireOpen("delete", String.join(", ", keys));
    return BatchedDeletes.run(keys, DELETES_MAX, this::deleteBatch);
  }

  private List<DeleteFailure> deleteBatch(List<String> keys) throws IOException {
    List<ObjectIdentifier> objects =
        keys.stream()
            .map(key -> ObjectIdentifier.builder().key(place.object(key)).build())
            .toList();
    DeleteObjectsRequest request =
        DeleteObjectsRequest.builder()
            .bucket(place.bucket())
            .delete(delete -> delete.objects(objects).quiet(true))
            .overrideConfiguration(within(0))
            .build();
    try {
      return client.deleteObjects(request).errors().stream().map(this::failure).toList();
    } catch (SdkException e) {
      throw S3Errors.failure("delete of %d keys from '%s'".formatted(keys.size(), keys.get(0)), e);
    }
  }

  private DeleteFailure failure(S3Error error) {
    return new DeleteFailure(
        place.key(error.key()), "%s (%s)".formatted(error.code(), error.message()));
  }

  @Override
  public void close() {
    isClosed = true;
    client.close();
  }

  /** How long an attempt may take that moves so many bytes; nothing is attempted twice. */
  private static AwsRequestOverrideConfiguration within(long bytes) {
    Duration limit = AttemptLimits.attempt(bytes);
    return AwsRequestOverrideConfiguration.builder()
        .apiCallAttemptTimeout(limit)
        .apiCallTimeout(limit)
        .build();
  }

  private String begin(String operation, String key) throws IOException {
    requireOpen(operation, key);
    return "%s of '%s' in bucket '%s'".formatted(operation, Keys.requireKey(key), place.bucket());
  }

  private void requireOpen(String operation, String key) throws IOException {
    if (isClosed) {
      throw new IOException("%s of '%s': the store is closed".formatted(operation, key));
    }
  }
}
