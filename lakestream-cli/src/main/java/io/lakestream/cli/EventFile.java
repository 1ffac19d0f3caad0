// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.StoreUnavailable;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * A file of JSON, one object a line, each handed to the system as a whole before the next. What a
 * crash left unfinished at its end is cut off when the file is opened again.
 */
public final class EventFile implements AutoCloseable {
  /**
   * The first field of an event: of a writer, of a reader, of the opening of a producer, and of
   * what any of them ends with.
   */
  private static final List<String> NAMES = List.of("seq", "step", "opened", "done");

  private static final List<String> BEGINNINGS = NAMES.stream().map("{\"%s\":"::formatted).toList();

  private final Path path;
  // No channel: an interrupted thread would close it.
  private final FileOutputStream stream;

  private EventFile(Path path, FileOutputStream stream) {
    this.path = path;
    this.stream = stream;
  }

  /**
   * Opens a file, which need not exist, behind the events that are to stay.
   *
   * @param stays called with each event in turn; the first that does not stay, and all behind it,
   *     are cut off
   * @throws InvalidRequest if the file holds something else than events
   */
  public static EventFile open(Path path, Predicate<JsonNode> stays) {
    Arguments.requirePlaceOfFile("events file", path);
    try {
      if (Files.isRegularFile(path)) {
        cut(path, bytesThatStay(path, stays));
      }
      return new EventFile(path, new FileOutputStream(path.toFile(), true));
    } catch (IOException e) {
      throw new CommandFailed(
          "cannot open the events file %s: %s".formatted(path, FileTrouble.explain(e)), e);
    }
  }

  private static long bytesThatStay(Path path, Predicate<JsonNode> stays) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long staying = 0;
    try (InputStream bytes = new BufferedInputStream(Files.newInputStream(path))) {
      for (int next = bytes.read(); next >= 0; next = bytes.read()) {
        if (next != '\n') {
          line.write(next);
        } else if (stays.test(event(path, line.toString(StandardCharsets.UTF_8)))) {
          staying += line.size() + 1;
          line.reset();
        } else {
          return staying;
        }
      }
    }
    requireBeginningOfEvent(path, line.toString(StandardCharsets.UTF_8));
    return staying;
  }

  /** What a crash left unfinished is cut off, and nothing else: it may be all of another file. */
  private static void requireBeginningOfEvent(Path path, String rest) {
    if (BEGINNINGS.stream().noneMatch(begin -> rest.startsWith(begin) || begin.startsWith(rest))) {
      throw foreign(path, rest);
    }
  }

  private static JsonNode event(Path path, String line) {
    try {
      JsonNode event = Json.parse(line);
      if (NAMES.stream().anyMatch(event::has)) {
        return event;
      }
    } catch (JsonProcessingException e) {
      // Reported below, together with what is JSON but no event.
    }
    throw foreign(path, line);
  }

  private static InvalidRequest foreign(Path path, String line) {
    String shown = Table.oneLine(line.length() > 80 ? line.substring(0, 80) + "…" : line);
    return new InvalidRequest(
        "%s is no file of events, since it has the line '%s'; name another file"
            .formatted(path, shown));
  }

  private static void cut(Path path, long bytes) throws IOException {
    if (Files.size(path) > bytes) {
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.setLength(bytes);
      }
    }
  }

  /**
   * Adds an event.
   *
   * @throws StoreUnavailable if it cannot be written, which ends a producer with this very message
   */
  public void add(Object event) {
    try {
      stream.write((Json.line(event) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Forces what was added to the disk. */
  void force() {
    try {
      // A pipe or a terminal, such as /dev/stderr, has no disk.
      if (Files.isRegularFile(path)) {
        stream.getFD().sync();
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private StoreUnavailable failure(IOException e) {
    return new StoreUnavailable(
        "cannot write the events file %s: %s".formatted(path, FileTrouble.explain(e)), e);
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw failure(e);
    }
  }
}
