// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static java.lang.System.Logger.Level.DEBUG;

import io.lakestream.runtime.Clock;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Removes the temporary files of writers that crashed.
 *
 * <p><b>Why this is safe.</b> A temporary file is no object: one that was linked lives on under its
 * key, and one that was not makes its put fail, if that put still runs, before it had any effect.
 * So the age only spares slow writers an error, and clocks need not agree.
 */
final class Leftovers {
  static final long MAX_AGE_MILLIS = TimeUnit.HOURS.toMillis(24);

  private static final System.Logger LOG = System.getLogger(Leftovers.class.getName());

  /** Files looked at in one pass, a second's work; what remains is left to the next open. */
  private static final int FILES_MAX = 10_000;

  private Leftovers() {}

  /** Removes what is older than a day in {@code tempFolder}, as far as that works. */
  static void remove(Path tempFolder, Clock clock) {
    long deadline = clock.epochMillis() - MAX_AGE_MILLIS;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(tempFolder)) {
      int count = 0;
      for (Path file : files) {
        if (count++ == FILES_MAX) {
          return;
        }
        removeIfOlder(file, deadline);
      }
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException | DirectoryIteratorException e) {
      LOG.log(DEBUG, "Could not look for old temporary files in " + tempFolder, e);
    }
  }

  private static void removeIfOlder(Path file, long deadline) {
    try {
      if (Files.getLastModifiedTime(file).toMillis() < deadline) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.log(DEBUG, "Could not remove the old temporary file " + file, e);
    }
  }
}
