// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * What somebody would write who wants the bytes on disk and back, safely, and nothing else: the
 * side that Lakestream is compared with.
 *
 * <p>So many threads as objects may be in flight, each working for itself: it takes the next
 * number, and there is no queue, no order and no hand-over to another thread.
 *
 * <ul>
 *   <li><b>Write</b>: makes the payload in a fresh buffer, computes its CRC32C, writes both to a
 *       temporary file, forces it, renames it to its name and forces the folder.
 *   <li><b>Read</b>: opens the file, allocates a fresh buffer of its size, reads all of it, and
 *       compares the CRC32C. The names are known, so nothing is looked up.
 * </ul>
 *
 * <p>It spreads files over 256 folders, which exist beforehand, and moves as many bytes with a call
 * as the file store does, which is faster than one call for a large object: the JDK copies every
 * call's bytes through a buffer of that size.
 */
final class PlainFiles {
  private static final int FOLDERS = 256;
  private static final int WRITE_BYTES = 1 << 20;
  private static final int READ_BYTES = 1 << 18;

  /** A thread that was asked to end is at most in the middle of one file. */
  private static final long END_SECONDS_MAX = 5;

  private final Path root;
  private final int inFlight;

  /** Files below {@code root}, of which {@code inFlight} are being written or read at a time. */
  PlainFiles(Path root, int inFlight) throws IOException {
    this.root = root;
    this.inFlight = inFlight;
    Files.createDirectories(root.resolve("tmp"));
    for (int i = 0; i < FOLDERS; i++) {
      Files.createDirectories(folder(i));
    }
  }

  /** Writes the payloads of {@code count} steps; durable when this returns. */
  void write(Payloads payloads, long count) throws IOException, InterruptedException {
    inParallel(count, step -> writeOne(step, payloads.of(step)));
  }

  /** Reads the payloads of {@code count} steps. */
  void read(long count) throws IOException, InterruptedException {
    inParallel(count, this::readOne);
  }

  /** Deletes all files. */
  void clear() throws IOException {
    for (int i = 0; i < FOLDERS; i++) {
      try (var files = Files.newDirectoryStream(folder(i))) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
    }
  }

  private Path folder(long step) {
    return root.resolve("%02x".formatted(step % FOLDERS));
  }

  private static String name(long step) {
    return "%016x".formatted(step);
  }

  private void writeOne(long step, ByteBuffer payload) throws IOException {
    ByteBuffer crc = ByteBuffer.allocate(Integer.BYTES).putInt(0, crcOf(payload));
    Path temp = root.resolve("tmp").resolve(name(step));
    try (FileChannel channel =
        FileChannel.open(temp, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writeFully(channel, payload);
      writeFully(channel, crc);
      channel.force(true);
    }
    Path folder = folder(step);
    Files.move(temp, folder.resolve(name(step)), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
    int end = bytes.limit();
    while (bytes.position() < end) {
      bytes.limit(Math.min(end, bytes.position() + WRITE_BYTES));
      int ignored = channel.write(bytes);
      bytes.limit(end);
    }
  }

  private void readOne(long step) throws IOException {
    Path file = folder(step).resolve(name(step));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int length = Math.toIntExact(channel.size());
      ByteBuffer bytes = ByteBuffer.allocate(length);
      while (bytes.position() < length) {
        bytes.limit(Math.min(length, bytes.position() + READ_BYTES));
        if (channel.read(bytes) < 0) {
          throw new IOException(file + " is shorter than its size");
        }
      }
      bytes.flip().limit(length - Integer.BYTES);
      if (crcOf(bytes) != bytes.limit(length).getInt(length - Integer.BYTES)) {
        throw new IOException(file + " is damaged");
      }
    }
  }

  private static int crcOf(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }

  /** What is done for one step. */
  @FunctionalInterface
  private interface Work {
    void run(long step) throws IOException;
  }

  private void inParallel(long count, Work work) throws IOException, InterruptedException {
    AtomicLong next = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(inFlight);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < inFlight; i++) {
        running.add(
            threads.submit(
                () -> {
                  takeFrom(next, count, work);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a plain file call failed: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
      // Otherwise they would write under the hands of whoever deletes the folder.
      boolean unused = threads.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS);
    }
  }

  private static void takeFrom(AtomicLong next, long count, Work work) throws IOException {
    for (long step = next.getAndIncrement(); step < count; step = next.getAndIncrement()) {
      work.run(step);
    }
  }
}
