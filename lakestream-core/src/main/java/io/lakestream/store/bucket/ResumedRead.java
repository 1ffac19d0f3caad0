// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store.bucket;

import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One read of an object: of exactly the bytes that were asked for, and no others. A body that
 * breaks off is gone on with where it broke, as long as the object is the same; an answer that is
 * longer, shorter or from elsewhere than what was asked for is an error, never data. For use by one
 * thread.
 */
public final class ResumedRead {
  /** Requests in a row that bring nothing before the read fails; whoever repeats it waits first. */
  private static final int BREAKS_MAX = 3;

  /** Asks a store for bytes of one object. */
  @FunctionalInterface
  public interface Request {
    /**
     * Sends the request.
     *
     * @param span what is asked for
     * @param tag the content that it has to be of, empty for whatever there is
     * @throws TransientStoreException if another request may succeed
     */
    ReadAnswer send(Span span, Optional<String> tag) throws IOException;
  }

  private final String call;
  private final Span wanted;
  private final Request request;
  private byte @Nullable [] bytes;
  private String tag = "";
  private long start;
  private int got;

  private ResumedRead(String call, Span wanted, Request request) {
    this.call = call;
    this.wanted = wanted;
    this.request = request;
  }

  /**
   * Reads what an object has of {@code wanted}.
   *
   * @param call names the call in messages: operation and key
   * @param wanted what is asked for, not empty
   * @return the bytes in a buffer of the caller's own, or empty if there is no object
   * @throws IOException if the store failed or sent something else
   */
  public static Optional<ByteBuffer> read(String call, Span wanted, Request request)
      throws IOException {
    return new ResumedRead(call, wanted, request).read();
  }

  private Optional<ByteBuffer> read() throws IOException {
    int breaks = 0;
    while (true) {
      int before = got;
      try {
        return readOn();
      } catch (TransientStoreException e) {
        breaks = got > before ? 0 : breaks + 1;
        if (bytes == null || breaks == BREAKS_MAX) {
          throw e;
        }
      }
    }
  }

  /** Reads what is left. */
  private Optional<ByteBuffer> readOn() throws IOException {
    byte[] begun = bytes;
    Span rest = begun == null ? wanted : Span.range(start + got, (long) begun.length - got);
    try (ReadAnswer answer = request.send(rest, Optional.of(tag).filter(t -> !t.isEmpty()))) {
      if (answer instanceof ReadAnswer.Part part) {
        return Optional.of(ByteBuffer.wrap(take(part)));
      }
      if (begun == null) {
        return answer instanceof ReadAnswer.BeyondEnd
            ? Optional.of(ByteBuffer.allocate(0))
            : Optional.empty();
      }
      startAgain();
      throw new TransientStoreException(
          "%s: the object was replaced or deleted while it was read".formatted(call));
    }
  }

  private void startAgain() {
    bytes = null;
    tag = "";
    got = 0;
  }

  private byte[] take(ReadAnswer.Part part) throws IOException {
    byte[] target = bytes == null ? begin(part) : goOn(part, bytes);
    try {
      while (got < target.length) {
        int more = part.body().read(target, got, target.length - got);
        if (more < 0) {
          throw new IOException("it ended");
        }
        got += more;
      }
      return target;
    } catch (IOException e) {
      part.abandon().run();
      throw new TransientStoreException(
          "%s: the body broke off after %d of %d bytes: %s"
              .formatted(call, got, target.length, e.getMessage()),
          e);
    }
  }

  private byte[] begin(ReadAnswer.Part part) throws IOException {
    boolean isSuffix = wanted.kind() == Span.Kind.SUFFIX;
    long from = isSuffix ? Math.max(0, part.total() - wanted.length()) : wanted.start();
    boolean isRight =
        part.start() == from && part.length() == Math.min(wanted.length(), part.total() - from);
    if (!isRight) {
      throw unwanted(part, wanted);
    }
    byte[] target = new byte[(int) part.length()];
    start = part.start();
    tag = part.tag();
    bytes = target;
    return target;
  }

  private byte[] goOn(ReadAnswer.Part part, byte[] target) throws IOException {
    if (part.start() != start + got || part.length() != target.length - got) {
      throw unwanted(part, Span.range(start + got, (long) target.length - got));
    }
    return target;
  }

  private IOException unwanted(ReadAnswer.Part part, Span asked) {
    part.abandon().run();
    return new IOException(
        "%s: asked for %s, the store sent %d bytes from %d on, of %d in all"
            .formatted(
                call,
                asked.kind() == Span.Kind.WHOLE ? "all" : asked.header(),
                part.length(),
                part.start(),
                part.total()));
  }
}
