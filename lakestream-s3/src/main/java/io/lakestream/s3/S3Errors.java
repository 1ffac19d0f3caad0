// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.s3;

import io.lakestream.store.PutOutcome;
import io.lakestream.store.ThrottledException;
import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * What the answers of an S3 server mean. The code in the body counts before the status, since
 * servers and proxies give one code several statuses (AWS SDK for Java issue 6023).
 */
final class S3Errors {
  private static final Set<String> MISSING = Set.of("NoSuchKey", "NotFound");
  private static final Set<String> TAKEN =
      Set.of("PreconditionFailed", "FileAlreadyExists", "ObjectAlreadyExists");

  /** Refused before anything was done. */
  private static final Set<String> THROTTLED =
      Set.of(
          "SlowDown",
          "SlowDownRead",
          "SlowDownWrite",
          "Throttling",
          "ThrottlingException",
          "TooManyRequests",
          "TooManyRequestsException",
          "RequestLimitExceeded",
          "ServiceUnavailable");

  /** Another attempt is signed anew, with whatever credentials there are then. */
  private static final Set<String> EXPIRED =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired");

  private static final Set<String> CONTESTED =
      Set.of("ConditionalRequestConflict", "OperationAborted");

  private static final int NOT_MODIFIED = 304;
  private static final int MISSING_STATUS = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION = 412;
  private static final int RANGE = 416;
  private static final int TOO_MANY = 429;
  private static final int SERVER = 500;
  private static final int NOT_IMPLEMENTED = 501;

  private S3Errors() {}

  /** Whether an object is not there. */
  static boolean isMissing(SdkException e) {
    String code = code(e);
    return MISSING.contains(code) || (code.isEmpty() && status(e) == MISSING_STATUS);
  }

  /** Whether an object ends before a range begins. */
  static boolean isBeyondEnd(SdkException e) {
    return code(e).equals("InvalidRange") || status(e) == RANGE;
  }

  /** Whether an object is not what it was when its first part was read. */
  static boolean isReplaced(SdkException e) {
    return isTaken(e);
  }

  private static boolean isTaken(SdkException e) {
    String code = code(e);
    boolean hasStatus = status(e) == PRECONDITION || status(e) == NOT_MODIFIED;
    return TAKEN.contains(code) || (hasStatus && (code.isEmpty() || isNumber(code)));
  }

  /**
   * What a conditional put came to that did not succeed.
   *
   * @throws IOException if it certainly had no effect and never will have
   */
  static PutOutcome outcome(String call, SdkException e) throws IOException {
    if (isTaken(e)) {
      return PutOutcome.OCCUPIED;
    }
    if (isWithoutEffect(e)) {
      throw failure(call, e);
    }
    if (isInterruption(e)) {
      Thread.currentThread().interrupt();
    }
    return PutOutcome.UNKNOWN;
  }

  /** Whether a request was refused before it was carried out, or never sent. */
  private static boolean isWithoutEffect(SdkException e) {
    if (e instanceof AwsServiceException) {
      boolean isServers = status(e) >= SERVER && status(e) != NOT_IMPLEMENTED;
      return THROTTLED.contains(code(e)) || !isServers;
    }
    return isUnsent(e);
  }

  private static boolean isUnsent(SdkException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          || cause instanceof UnknownHostException
          || cause instanceof NoRouteToHostException
          || cause instanceof SSLHandshakeException) {
        return true;
      }
    }
    // What the SDK finds by itself, such as that there are no credentials, has no cause in the net.
    return !(e instanceof AbortedException) && e.getCause() == null && !isTimeout(e);
  }

  private static boolean isTimeout(SdkException e) {
    return e.getClass().getSimpleName().endsWith("TimeoutException");
  }

  private static boolean isInterruption(SdkException e) {
    return e instanceof AbortedException;
  }

  /** The failure of a call, with what to do if that can be said. */
  static IOException failure(String call, SdkException e) {
    if (isInterruption(e)) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException(call + " was interrupted");
      interrupted.initCause(e);
      return interrupted;
    }
    String message = "%s: %s%s".formatted(call, said(e), remedy(e));
    if (isThrottled(e)) {
      return new ThrottledException(message, e);
    }
    return isPassing(e) ? new TransientStoreException(message, e) : new IOException(message, e);
  }

  private static boolean isThrottled(SdkException e) {
    return THROTTLED.contains(code(e)) || status(e) == TOO_MANY;
  }

  private static boolean isPassing(SdkException e) {
    String code = code(e);
    if (e instanceof AwsServiceException) {
      return EXPIRED.contains(code)
          || CONTESTED.contains(code)
          || code.equals("RequestTimeout")
          || (status(e) == CONFLICT && code.isEmpty())
          || (status(e) >= SERVER && status(e) != NOT_IMPLEMENTED);
    }
    return e.getCause() != null || isTimeout(e);
  }

  private static String said(SdkException e) {
    if (e instanceof AwsServiceException service) {
      AwsErrorDetails details = service.awsErrorDetails();
      String message = details == null ? "" : String.valueOf(details.errorMessage());
      return "the store answered %d %s (%s)".formatted(status(e), code(e), message);
    }
    return String.valueOf(e.getMessage());
  }

  private static String remedy(SdkException e) {
    return switch (code(e)) {
      case "NoSuchBucket" -> "; create the bucket, or correct its name";
      case "AccessDenied", "AllAccessDisabled" ->
          "; let the credentials' policy allow it (see docs/security.md)";
      case "InvalidAccessKeyId", "SignatureDoesNotMatch" ->
          "; correct the credentials in the environment, and the endpoint's address";
      case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired" ->
          "; the credentials have expired: renew them";
      case "RequestTimeTooSkewed" -> "; this machine's clock is wrong: set it";
      case "PermanentRedirect",
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraintException" ->
          "; the bucket is in another region: give that by the option 'region'";
      case "NotImplemented" -> "; the store lacks what Lakestream rests on: use another";
      case "EntityTooLarge" -> "; the object is larger than the store takes";
      default -> "";
    };
  }

  private static boolean isNumber(String code) {
    return code.chars().allMatch(Character::isDigit);
  }

  private static String code(SdkException e) {
    if (e instanceof AwsServiceException service && service.awsErrorDetails() != null) {
      String code = service.awsErrorDetails().errorCode();
      return code == null ? "" : code;
    }
    return "";
  }

  private static int status(SdkException e) {
    return e instanceof AwsServiceException service ? service.statusCode() : 0;
  }
}
