// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.produce;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.commit.Term;
import io.lakestream.format.Descriptor;
import io.lakestream.format.ImageLocation;
import io.lakestream.format.SchemaCodec;
import io.lakestream.format.SliceIndex;
import io.lakestream.format.TgbImage;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Schema;
import io.lakestream.model.Tgb;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A batch between {@code write} and its publication. Guarded by the pipeline's monitor. */
public final class PendingTgb {
  private final long seq;
  private final String offset;
  private final Schema schema;
  private final CpLayout cpLayout;
  private final long sliceBytes;
  private final long imageBytes;
  private final long memoryBytes;
  private final long writtenNanos;
  private final SliceIndex sliceIndex;
  private @Nullable TgbImage image;
  private @Nullable ImageLocation location;

  public PendingTgb(long seq, String offset, Tgb tgb, TgbImage image, long writtenNanos) {
    this.seq = seq;
    this.offset = offset;
    this.schema = tgb.schema();
    this.cpLayout = tgb.cpLayout();
    this.sliceBytes = tgb.bytes();
    this.imageBytes = image.length();
    this.memoryBytes = imageBytes + image.sidecar().map(ByteBuffer::remaining).orElse(0);
    this.sliceIndex = image.sliceIndex();
    this.image = image;
    this.writtenNanos = writtenNanos;
  }

  public long seq() {
    return seq;
  }

  public Schema schema() {
    return schema;
  }

  public long sliceBytes() {
    return sliceBytes;
  }

  public long imageBytes() {
    return imageBytes;
  }

  /** Bytes held until the batch is durable. */
  public long memoryBytes() {
    return memoryBytes;
  }

  public long writtenNanos() {
    return writtenNanos;
  }

  /** The image, which is there until the batch is durable. */
  public TgbImage image() {
    TgbImage present = image;
    if (present == null) {
      throw new AssertionError("batch %d is durable, its image is gone".formatted(seq));
    }
    return present;
  }

  public boolean isDurable() {
    return location != null;
  }

  /** The batch is durable at a place, and its memory no longer needed. */
  public void becomeDurable(ImageLocation place) {
    location = place;
    image = null;
  }

  /** The descriptor of a durable batch; its version is set by the commit that publishes it. */
  public Descriptor descriptor(Term term) {
    ImageLocation place = location;
    if (place == null) {
      throw new AssertionError("batch %d is not durable yet".formatted(seq));
    }
    return new Descriptor(
        term.producer(),
        term.epoch(),
        seq,
        offset,
        0,
        place,
        sliceIndex,
        cpLayout,
        SchemaCodec.id(schema),
        UnknownFieldSet.getDefaultInstance());
  }
}
