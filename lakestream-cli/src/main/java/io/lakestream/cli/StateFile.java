// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Cursor;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.UnsupportedFormat;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A cursor in a file, standing in for the checkpoint of a trainer. */
public final class StateFile {
  /** Some ten times a cursor; a file of another kind is told by its beginning. */
  private static final int BYTES_MAX = 4096;

  private final Path path;

  /** A cursor at this place, where no file need be yet. */
  public StateFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  /**
   * The cursor, or empty if there is no file yet.
   *
   * @throws InvalidRequest if the file holds something else, or no file can be there
   */
  public Optional<Cursor> read() {
    // Before anything is read from the stream, since where that ends could not be kept.
    Arguments.requirePlaceOfFile("state", path);
    try (InputStream bytes = Files.newInputStream(path)) {
      return Optional.of(Cursor.parse(text(bytes.readNBytes(BYTES_MAX))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new CommandFailed(
          "cannot read the state %s: %s".formatted(path, FileTrouble.explain(e)), e);
    } catch (InvalidRequest | UnsupportedFormat e) {
      String why = Table.oneLine(String.valueOf(e.getMessage()));
      throw new InvalidRequest("the state %s: %s".formatted(path, why));
    }
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString().strip();
    } catch (CharacterCodingException e) {
      throw new InvalidRequest(
          "this is no cursor, since it is no text; name a file that read --state wrote, or a new"
              + " one");
    }
  }

  /** Replaces the cursor: whoever looks finds the old one or the new one, after a crash too. */
  public void write(Cursor cursor) {
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
      throw new CommandFailed(
          "cannot write the state %s: %s".formatted(path, FileTrouble.explain(e)), e);
    }
  }
}
