// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;

/**
 * What went wrong with a file, and what to do about it.
 *
 * @param reason how the system puts it, somewhere in the message of an exception
 * @param advice what to tell people
 */
record FileTrouble(String reason, String advice) {
  private static final FileTrouble NO_PERMISSION =
      new FileTrouble(
          "Permission denied", "no permission; change its owner or mode, or name another place");

  private static final FileTrouble MISSING =
      new FileTrouble(
          "No such file or directory",
          "there is no such file or folder; correct the path, or create the folder");

  private static final FileTrouble BELOW_A_FILE =
      new FileTrouble(
          "Not a directory", "a part of the path is a file; name a path whose parents are folders");

  private static final FileTrouble TAKEN =
      new FileTrouble("File exists", "there is a file of this name; name another path");

  private static final List<FileTrouble> KNOWN =
      List.of(
          NO_PERMISSION,
          MISSING,
          BELOW_A_FILE,
          TAKEN,
          new FileTrouble("Operation not permitted", NO_PERMISSION.advice),
          new FileTrouble("Is a directory", "it is a folder; name a file"),
          new FileTrouble(
              "Read-only file system", "its file system is mounted read-only; name another place"),
          new FileTrouble("No space left on device", "the disk is full; make room"),
          new FileTrouble("Disk quota exceeded", "the disk quota is used up; make room"),
          new FileTrouble("File name too long", "its name is too long; name a shorter one"),
          new FileTrouble(
              "Too many open files", "too many files are open; raise the limit (ulimit -n)"));

  /** What an error of a file call means, without the name of the file where it is a known one. */
  static String explain(IOException e) {
    if (e instanceof AccessDeniedException) {
      return NO_PERMISSION.advice;
    }
    if (e instanceof NoSuchFileException) {
      return MISSING.advice;
    }
    if (e instanceof NotDirectoryException) {
      return BELOW_A_FILE.advice;
    }
    if (e instanceof FileAlreadyExistsException) {
      return TAKEN.advice;
    }
    String said = said(e);
    return KNOWN.stream()
        .filter(trouble -> said.contains(trouble.reason))
        .map(FileTrouble::advice)
        .findFirst()
        .orElse(said);
  }

  private static String said(IOException e) {
    String text = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    return text == null ? e.getClass().getSimpleName() : text;
  }
}
