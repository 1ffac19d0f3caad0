// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Cursor;
import io.lakestream.model.InvalidRequest;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A cursor in a file, standing in for the checkpoint of a trainer. */
final class StateFile {
  private final Path path;

  StateFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  /**
   * The cursor, or empty if there is no file yet.
   *
   * @throws InvalidRequest if the file holds something else
   */
  Optional<Cursor> read() {
    try {
      return Optional.of(Cursor.parse(Files.readString(path).strip()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new CommandFailed("cannot read the state " + path + ": " + e.getMessage(), e);
    } catch (InvalidRequest e) {
      throw new InvalidRequest("the state %s: %s".formatted(path, e.getMessage()));
    }
  }

  /** Replaces the cursor: whoever looks finds the old one or the new one, after a crash too. */
  void write(Cursor cursor) {
    Path temp = path.resolveSibling(path.getFileName() + ".tmp");
    try {
      try (FileOutputStream stream = new FileOutputStream(temp.toFile())) {
        stream.write((cursor.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
        stream.getFD().sync();
      }
      Files.move(temp, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      Path folder = path.getParent();
      if (folder != null) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }
    } catch (IOException e) {
      throw new CommandFailed("cannot write the state " + path + ": " + e.getMessage(), e);
    }
  }
}
