// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.produce;

import io.lakestream.commit.Term;
import io.lakestream.format.ImageLocation;
import io.lakestream.format.Names;
import io.lakestream.format.TgbImage;
import io.lakestream.runtime.Entropy;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes batches durable: one or several in an object, or one over several objects. Names are
 * random, so an upload is repeated without harm and needs no condition. Safe for use by several
 * threads.
 */
public final class Uploader {
  private final ObjectStore store;
  private final Term term;
  private final Entropy entropy;
  private final long partBytes;

  public Uploader(ObjectStore store, Term term, Entropy entropy, long partBytes) {
    this.store = store;
    this.term = term;
    this.entropy = entropy;
    this.partBytes = partBytes;
  }

  /** A batch and where it is durable. */
  public record Durable(PendingTgb tgb, ImageLocation location) {}

  /** What an upload did. */
  public record Result(List<Durable> durable, int objects) {}

  /** Uploads batches of consecutive seqs; durable when this returns. */
  public Result upload(List<PendingTgb> tgbs) throws IOException {
    long lastSeq = tgbs.get(tgbs.size() - 1).seq();
    long random = entropy.nextLong();
    int sidecars = putSidecars(tgbs, random);
    if (tgbs.size() == 1 && tgbs.get(0).imageBytes() > partBytes) {
      return putParts(tgbs.get(0), random, sidecars);
    }
    List<ByteBuffer> buffers = new ArrayList<>();
    List<Durable> durable = new ArrayList<>();
    long offset = 0;
    for (PendingTgb tgb : tgbs) {
      buffers.addAll(tgb.image().buffers());
      durable.add(new Durable(tgb, location(tgb.image(), random, lastSeq, offset, 0)));
      offset += tgb.imageBytes();
    }
    store.put(Names.data(term.producer(), term.epoch(), lastSeq, random), Body.of(buffers));
    return new Result(durable, 1 + sidecars);
  }

  private int putSidecars(List<PendingTgb> tgbs, long random) throws IOException {
    int count = 0;
    for (PendingTgb tgb : tgbs) {
      if (tgb.image().sidecar().isPresent()) {
        String key = Names.provenance(term.producer(), term.epoch(), tgb.seq(), random);
        store.put(key, Body.of(tgb.image().sidecar().get()));
        count++;
      }
    }
    return count;
  }

  private Result putParts(PendingTgb tgb, long random, int sidecars) throws IOException {
    TgbImage image = tgb.image();
    int parts = 0;
    for (long start = 0; start < image.length(); start += partBytes) {
      long end = Math.min(image.length(), start + partBytes);
      String key = Names.dataPart(term.producer(), term.epoch(), tgb.seq(), random, parts);
      store.put(key, Body.of(range(image.buffers(), start, end)));
      parts++;
    }
    ImageLocation location = location(image, random, tgb.seq(), 0, partBytes);
    return new Result(List.of(new Durable(tgb, location)), parts + sidecars);
  }

  /** The bytes {@code [start, end)} of buffers laid end to end. */
  private static List<ByteBuffer> range(List<ByteBuffer> buffers, long start, long end) {
    List<ByteBuffer> range = new ArrayList<>();
    long position = 0;
    for (ByteBuffer buffer : buffers) {
      long from = Math.max(start, position);
      long to = Math.min(end, position + buffer.remaining());
      if (from < to) {
        int offset = buffer.position() + Math.toIntExact(from - position);
        range.add(buffer.slice(offset, Math.toIntExact(to - from)));
      }
      position += buffer.remaining();
    }
    return range;
  }

  private static ImageLocation location(
      TgbImage image, long random, long lastSeq, long offset, long partBytes) {
    return new ImageLocation(
        random,
        lastSeq,
        offset,
        image.length(),
        partBytes,
        image.footerLength(),
        image.footerCrc());
  }
}
