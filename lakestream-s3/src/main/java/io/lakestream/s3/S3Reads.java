// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * One read of an object: of exactly the bytes that were asked for, and no others. A body that
 * breaks off is gone on with where it broke, as long as the object is the same. For use by one
 * thread, once.
 */
final class S3Reads {
  /** Bodies that break off, one after the other, without a byte. */
  private static final int BREAKS_MAX = 3;

  private static final Pattern RANGE = Pattern.compile("bytes ([0-9]{1,18})-.*");

  /** Longest array that every JVM can make. */
  private static final int ARRAY_MAX = Integer.MAX_VALUE - 8;

  private final S3Client client;
  private final String call;
  private final GetObjectRequest object;
  private final Wanted wanted;
  private byte @Nullable [] bytes;
  private @Nullable String tag;
  private long start;
  private int got;

  /**
   * What is asked for.
   *
   * @param range the range of the first request; of none the whole object
   * @param start where that has to begin; anywhere if below 0
   * @param most bytes that may come
   */
  private record Wanted(@Nullable String range, long start, long most) {}

  private S3Reads(S3Client client, String call, GetObjectRequest object, Wanted wanted) {
    this.client = client;
    this.call = call;
    this.object = object;
    this.wanted = wanted;
  }

  /** The whole object, or empty if there is none. */
  static Optional<ByteBuffer> whole(S3Client client, String call, GetObjectRequest object)
      throws IOException {
    return new S3Reads(client, call, object, new Wanted(null, 0, ARRAY_MAX)).read();
  }

  /** What an object has of a range that is not empty, or empty if there is no object. */
  static Optional<ByteBuffer> range(
      S3Client client, String call, GetObjectRequest object, long offset, int length)
      throws IOException {
    String range = "bytes=%d-%d".formatted(offset, offset + length - 1);
    return new S3Reads(client, call, object, new Wanted(range, offset, length)).read();
  }

  /** The last bytes of an object, or all of a shorter one; empty if there is no object. */
  static Optional<ByteBuffer> suffix(
      S3Client client, String call, GetObjectRequest object, int length) throws IOException {
    return new S3Reads(client, call, object, new Wanted("bytes=-" + length, -1, length)).read();
  }

  private Optional<ByteBuffer> read() throws IOException {
    int breaks = 0;
    while (true) {
      int before = got;
      try {
        boolean isThere = readOn();
        return isThere
            ? Optional.of(ByteBuffer.wrap(bytes == null ? new byte[0] : bytes))
            : Optional.empty();
      } catch (TransientStoreException e) {
        breaks = got > before ? 0 : breaks + 1;
        if (bytes == null || breaks == BREAKS_MAX) {
          throw e;
        }
      }
    }
  }

  /** Reads what is left; returns whether the object is there. */
  private boolean readOn() throws IOException {
    try (ResponseInputStream<GetObjectResponse> body = client.getObject(request())) {
      take(body);
      return true;
    } catch (SdkException e) {
      boolean hasBegun = bytes != null;
      if (!hasBegun && S3Errors.isMissing(e)) {
        return false;
      }
      if (!hasBegun && S3Errors.isBeyondEnd(e)) {
        return true;
      }
      if (hasBegun && S3Errors.isReplaced(e)) {
        startAgain();
        return readOn();
      }
      throw S3Errors.failure(call, e);
    }
  }

  private void startAgain() {
    bytes = null;
    tag = null;
    got = 0;
  }

  private GetObjectRequest request() {
    byte[] begun = bytes;
    String range =
        begun == null
            ? wanted.range()
            : "bytes=%d-%d".formatted(start + got, start + begun.length - 1);
    return object.toBuilder().range(range).ifMatch(tag).build();
  }

  private void take(ResponseInputStream<GetObjectResponse> body) throws IOException {
    byte[] target = bytes == null ? begin(body.response()) : goOn(body.response(), bytes);
    try {
      while (got < target.length) {
        int more = body.read(target, got, target.length - got);
        if (more < 0) {
          throw new IOException("it ended");
        }
        got += more;
      }
    } catch (IOException e) {
      body.abort();
      throw new TransientStoreException(
          "%s: the body broke off after %d of %d bytes: %s"
              .formatted(call, got, target.length, e.getMessage()),
          e);
    }
  }

  private byte[] begin(GetObjectResponse response) throws IOException {
    long first = first(response);
    long count = count(response);
    boolean isPlaceRight = wanted.start() < 0 || first == wanted.start();
    if (!isPlaceRight || count < 0 || count > wanted.most()) {
      throw unwanted(response, String.valueOf(wanted.range()));
    }
    byte[] target = new byte[(int) count];
    start = first;
    tag = response.eTag();
    bytes = target;
    return target;
  }

  private byte[] goOn(GetObjectResponse response, byte[] target) throws IOException {
    if (first(response) != start + got || count(response) != target.length - got) {
      throw unwanted(response, "bytes from %d on".formatted(start + got));
    }
    return target;
  }

  private IOException unwanted(GetObjectResponse response, String asked) {
    return new IOException(
        "%s: asked for %s, the store sent %d bytes, %s"
            .formatted(call, asked, count(response), response.contentRange()));
  }

  private static long count(GetObjectResponse response) {
    Long length = response.contentLength();
    return length == null ? -1 : length;
  }

  /** Where a body begins in its object. */
  private static long first(GetObjectResponse response) {
    String range = response.contentRange();
    if (range == null) {
      return 0;
    }
    Matcher matcher = RANGE.matcher(range);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }
}
