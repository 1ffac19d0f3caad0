// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** What the errors of file calls mean, for the caller and for people. */
final class FileErrors {
  static final String NO_HARD_LINKS =
      "the file system has no hard links, on which the conditional put rests;"
          + " use a local disk, NFS or an object store";

  private static final String DISK_FULL = "No space left on device";
  private static final String QUOTA_USED = "Disk quota exceeded";
  private static final String READ_ONLY = "Read-only file system";

  /** What the C library says of a link where a file system (exFAT, most of FUSE) has none. */
  private static final List<String> NO_LINKS =
      List.of(
          "Operation not permitted",
          "Operation not supported",
          "Not supported",
          "Function not implemented",
          "Invalid cross-device link",
          "Cross-device link");

  /** What it says of a link that was refused before it could have any effect. */
  private static final List<String> LINK_REFUSED =
      List.of(
          DISK_FULL,
          QUOTA_USED,
          READ_ONLY,
          "Permission denied",
          "File name too long",
          "Not a directory",
          "Too many links");

  private FileErrors() {}

  /**
   * True if a link that failed certainly does not exist and will not. False in doubt, such as an
   * input/output error of a network file system or a text in another language.
   */
  static boolean isLinkWithoutEffect(IOException e) {
    return e instanceof AccessDeniedException
        || e instanceof NoSuchFileException
        || NO_LINKS.contains(reason(e))
        || LINK_REFUSED.contains(reason(e));
  }

  /** The error to throw for a link that failed without effect. */
  static IOException ofLink(IOException e) {
    return NO_LINKS.contains(reason(e)) ? new IOException(NO_HARD_LINKS, e) : e;
  }

  /** What went wrong and what to do about it, for people. */
  static String explain(IOException e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    if (e instanceof ClosedByInterruptException) {
      return "the thread was interrupted";
    }
    if (e instanceof AccessDeniedException) {
      return "no permission: "
          + message
          + "; change its permissions, or use another user or folder";
    }
    if (e instanceof NoSuchFileException) {
      return "no such file or folder: " + message;
    }
    if (message.contains(DISK_FULL)) {
      return "the disk is full; make room (" + message + ")";
    }
    if (message.contains(QUOTA_USED)) {
      return "the disk quota is used up; make room (" + message + ")";
    }
    if (message.contains(READ_ONLY)) {
      return "the file system is mounted read-only; use another, or mount it for writing ("
          + message
          + ")";
    }
    return message;
  }

  private static String reason(IOException e) {
    String reason = e instanceof FileSystemException failure ? failure.getReason() : null;
    return reason == null ? "" : reason;
  }
}
