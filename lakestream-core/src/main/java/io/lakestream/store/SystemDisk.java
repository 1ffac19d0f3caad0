// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The real disk. */
final class SystemDisk implements Disk {
  /**
   * Bytes in one call of write. The JDK copies heap buffers into direct ones as large as the call
   * and keeps these for each thread, so that unbounded calls would pin the largest object ever
   * written.
   */
  private static final int CHUNK = 1 << 20;

  /** Buffers in one gathering write: fewer than the 1,024 that POSIX systems take. */
  private static final int GATHERED_MAX = 512;

  @Override
  public void write(Path file, Body body, Durability durability) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer[] pieces = pieces(body);
      int start = 0;
      while (start < pieces.length) {
        int end = endOfCall(pieces, start);
        writeFully(channel, pieces, start, end);
        start = end;
      }
      if (durability == Durability.FULL) {
        channel.force(true);
      }
    }
  }

  private static ByteBuffer[] pieces(Body body) {
    List<ByteBuffer> pieces = new ArrayList<>();
    for (ByteBuffer buffer : body.buffers()) {
      for (int at = buffer.position(); at < buffer.limit(); at += CHUNK) {
        pieces.add(buffer.slice(at, Math.min(CHUNK, buffer.limit() - at)));
      }
    }
    return pieces.toArray(ByteBuffer[]::new);
  }

  private static int endOfCall(ByteBuffer[] pieces, int start) {
    int end = start;
    long bytes = 0;
    while (end < pieces.length
        && end - start < GATHERED_MAX
        && bytes + pieces[end].remaining() <= CHUNK) {
      bytes += pieces[end].remaining();
      end++;
    }
    return end;
  }

  private static void writeFully(FileChannel channel, ByteBuffer[] pieces, int start, int end)
      throws IOException {
    int first = start;
    while (first < end) {
      long ignored = channel.write(pieces, first, end - first);
      while (first < end && !pieces[first].hasRemaining()) {
        first++;
      }
    }
  }

  @Override
  public void link(Path name, Path file) throws IOException {
    Files.createLink(name, file);
  }

  @Override
  public int linkCount(Path file) throws IOException {
    try {
      return Files.getAttribute(file, "unix:nlink") instanceof Integer count ? count : 1;
    } catch (UnsupportedOperationException e) {
      return 1;
    }
  }

  @Override
  public void replace(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    Files.createDirectory(folder);
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
