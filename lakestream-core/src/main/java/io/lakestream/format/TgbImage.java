// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.CorruptObject;
import io.lakestream.model.Tgb;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A TGB as bytes, ready to be stored: alone in an object, back to back with others in a bundle, or
 * cut over several objects.
 *
 * <pre>
 * image  := header, slice (0,0) … slice (D-1,C-1), footer, tail
 * header := magic "LAKE", 'T', major u8, minor u8, 0, namespace uuid (16 bytes), crc32c u32, 0 u32
 * tail   := footer length u32, footer crc32c u32, crc32c of these eight bytes u32, magic "TGB1"
 * </pre>
 *
 * Integers are little-endian.
 *
 * @param buffers the bytes in order; slices are the batch's own memory, not copied
 * @param length their number
 * @param footerLength length of the footer
 * @param footerCrc checksum of the footer
 * @param sliceIndex where the slices are, as the descriptor says it
 * @param sidecar the provenance, if it is too long for the footer
 */
public record TgbImage(
    List<ByteBuffer> buffers,
    long length,
    int footerLength,
    int footerCrc,
    SliceIndex sliceIndex,
    Optional<ByteBuffer> sidecar) {
  public static final int HEADER_BYTES = 32;
  public static final int TAIL_BYTES = 16;

  private static final int TAIL_MAGIC = 0x31424754; // "TGB1", little-endian

  public TgbImage {
    buffers = List.copyOf(buffers);
  }

  /** The image of a batch. Reads every byte once, for the checksums. */
  public static TgbImage encode(UUID namespace, Tgb tgb, Footer.Stamp writer) {
    List<ByteBuffer> buffers = new ArrayList<>();
    buffers.add(header(namespace));
    List<Footer.StoredSlice> slices = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    long offset = HEADER_BYTES;
    for (Tgb.Slice slice : tgb.slices()) {
      Footer.StoredSlice stored = addSlice(slice, offset, buffers);
      slices.add(stored);
      lengths.add(stored.length());
      offset += stored.length();
    }
    Optional<ByteBuffer> sidecar = tgb.provenance().filter(bytes -> !isInline(bytes));
    Footer footer = footer(tgb, slices, sidecar, writer);
    ByteBuffer footerBytes = ByteBuffer.wrap(footer.encode());
    int footerLength = footerBytes.remaining();
    int footerCrc = Checksum.of(footerBytes);
    buffers.add(footerBytes);
    buffers.add(tail(footerLength, footerCrc));
    long length = offset + footerLength + TAIL_BYTES;
    return new TgbImage(buffers, length, footerLength, footerCrc, SliceIndex.of(lengths), sidecar);
  }

  private static boolean isInline(ByteBuffer provenance) {
    return provenance.remaining() <= FormatLimits.PROVENANCE_INLINE_BYTES_MAX;
  }

  private static Footer footer(
      Tgb tgb, List<Footer.StoredSlice> slices, Optional<ByteBuffer> sidecar, Footer.Stamp writer) {
    return new Footer(
        tgb.mesh(),
        tgb.cpLayout(),
        tgb.schema(),
        slices,
        tgb.provenance().filter(TgbImage::isInline),
        sidecar.map(bytes -> new Footer.Sidecar(bytes.remaining(), Checksum.of(bytes))),
        writer);
  }

  private static Footer.StoredSlice addSlice(
      Tgb.Slice slice, long offset, List<ByteBuffer> buffers) {
    List<Integer> lengths = new ArrayList<>();
    List<Integer> crcs = new ArrayList<>();
    for (ByteBuffer block : slice.blocks()) {
      buffers.add(block.duplicate());
      lengths.add(block.remaining());
      crcs.add(Checksum.of(block));
    }
    buffers.add(SliceTrailer.encode(lengths, crcs));
    long length = slice.bytes() + SliceTrailer.bytes(lengths.size());
    return new Footer.StoredSlice(offset, length, lengths, crcs, slice.rows());
  }

  private static ByteBuffer header(UUID namespace) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Preamble.write(header, ObjectKind.TGB, 0, namespace);
    header.putInt(Checksum.of(header.duplicate().flip()));
    header.putInt(0);
    return header.flip();
  }

  private static ByteBuffer tail(int footerLength, int footerCrc) {
    ByteBuffer tail = ByteBuffer.allocate(TAIL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    tail.putInt(footerLength).putInt(footerCrc);
    tail.putInt(Checksum.of(tail.duplicate().flip())).putInt(TAIL_MAGIC);
    return tail.flip();
  }

  /**
   * Checks the header of an image.
   *
   * @throws CorruptObject if it is not the header of a TGB of this namespace
   */
  public static void checkHeader(String key, UUID namespace, ByteBuffer bytes) {
    ByteBuffer header = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (header.remaining() < HEADER_BYTES) {
      throw new CorruptObject(
          key, "the image's header", HEADER_BYTES + " bytes", header.remaining() + " bytes");
    }
    int start = header.position();
    int count = Preamble.read(key, ObjectKind.TGB, header);
    Preamble.checkNamespace(key, namespace, header);
    int expected = header.getInt();
    int found = Checksum.of(bytes.slice(start, Preamble.BYTES));
    if (expected != found) {
      throw new CorruptObject(
          key, "the image's header", Checksum.text(expected), Checksum.text(found));
    }
    if (count != 0) {
      throw new CorruptObject(key, "byte 7 of the image", "0", Integer.toString(count));
    }
  }

  /**
   * Where the footer of an image is, and its checksum.
   *
   * @param range where it is in the image
   * @param crc its checksum
   */
  public record FooterPlace(SliceIndex.Range range, int crc) {}

  /**
   * Where the footer of an image is, by the image's tail: for tools that have no descriptor.
   *
   * @param length length of the image
   * @param tail its last {@link #TAIL_BYTES} bytes
   * @throws CorruptObject if they are no tail
   */
  public static FooterPlace footerPlace(String key, long length, ByteBuffer tail) {
    ByteBuffer source = tail.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (source.remaining() != TAIL_BYTES) {
      throw new CorruptObject(
          key, "the image's tail", TAIL_BYTES + " bytes", source.remaining() + " bytes");
    }
    int found = Checksum.of(source.slice(source.position(), 2 * Integer.BYTES));
    int footerLength = source.getInt();
    int footerCrc = source.getInt();
    int expected = source.getInt();
    if (expected != found || source.getInt() != TAIL_MAGIC) {
      throw new CorruptObject(
          key, "the image's tail", Checksum.text(expected) + " and TGB1", Checksum.text(found));
    }
    long offset = length - TAIL_BYTES - footerLength;
    if (footerLength < 1 || offset <= HEADER_BYTES) {
      throw new CorruptObject(
          key,
          "the image's tail",
          "a footer within %d bytes".formatted(length),
          footerLength + " bytes");
    }
    return new FooterPlace(new SliceIndex.Range(offset, footerLength), footerCrc);
  }
}
