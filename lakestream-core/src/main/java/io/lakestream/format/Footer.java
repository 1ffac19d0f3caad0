// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import io.lakestream.format.proto.FooterMessage;
import io.lakestream.format.proto.SidecarMessage;
import io.lakestream.format.proto.SliceMessage;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.CpLayout;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.Rows;
import io.lakestream.model.Schema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The footer of a TGB image: everything about the batch that a common read does not need.
 *
 * @param mesh the mesh that the batch was written for
 * @param cpLayout how sequences are dealt to context-parallel ranks
 * @param schema what the slices consist of
 * @param slices the slices in (d,c) order
 * @param provenance where the samples came from, if it fits the footer
 * @param sidecar the object that has the provenance otherwise
 * @param writer who wrote the batch
 */
public record Footer(
    Mesh mesh,
    CpLayout cpLayout,
    Schema schema,
    List<StoredSlice> slices,
    Optional<ByteBuffer> provenance,
    Optional<Sidecar> sidecar,
    Stamp writer) {

  /**
   * Who wrote a batch.
   *
   * @param producer the producer's id
   * @param epoch its term
   * @param seq the batch's number among the producer's batches
   * @param offset the producer's position in its input after the batch
   */
  public record Stamp(String producer, long epoch, long seq, String offset) {}

  /**
   * Where one slice is and what it has.
   *
   * @param offset where it starts in the image
   * @param length its stored length, trailer included
   * @param blockLengths lengths of its blocks
   * @param blockCrcs their checksums
   * @param rows its rows
   */
  public record StoredSlice(
      long offset, long length, List<Integer> blockLengths, List<Integer> blockCrcs, Rows rows) {
    public StoredSlice {
      blockLengths = List.copyOf(blockLengths);
      blockCrcs = List.copyOf(blockCrcs);
      long blocks = blockLengths.stream().mapToLong(Integer::longValue).sum();
      if (blockLengths.isEmpty()
          || blockLengths.stream().anyMatch(bytes -> bytes < 1)
          || blockCrcs.size() != blockLengths.size()
          || length != blocks + SliceTrailer.bytes(blockLengths.size())
          || length > FormatLimits.SLICE_BYTES_MAX) {
        throw new MalformedRecord(
            "a slice of %d bytes with %d blocks of %d bytes in all and %d checksums"
                .formatted(length, blockLengths.size(), blocks, blockCrcs.size()));
      }
    }

    /** The range of the slice in the image. */
    public SliceIndex.Range range() {
      return new SliceIndex.Range(offset, length);
    }
  }

  /** Length and checksum of a sidecar object. */
  public record Sidecar(long length, int crc) {
    public Sidecar {
      if (length < 0) {
        throw new MalformedRecord("a sidecar of " + length + " bytes");
      }
    }
  }

  public Footer {
    slices = List.copyOf(slices);
    if (slices.size() != mesh.cells()) {
      throw new MalformedRecord("%d slices for a %s mesh".formatted(slices.size(), mesh));
    }
    long offset = TgbImage.HEADER_BYTES;
    for (StoredSlice slice : slices) {
      if (slice.offset() != offset) {
        throw new MalformedRecord("a slice at %d, not at %d".formatted(slice.offset(), offset));
      }
      offset += slice.length();
    }
    provenance = provenance.map(ByteBuffer::asReadOnlyBuffer);
  }

  byte[] encode() {
    FooterMessage.Builder message =
        FooterMessage.newBuilder()
            .setDataParallel(mesh.dataParallel())
            .setContextParallel(mesh.contextParallel())
            .setCpLayout(LayoutCodec.toMessage(cpLayout))
            .setSchema(SchemaCodec.toMessage(schema))
            .setProducer(writer.producer())
            .setEpoch(writer.epoch())
            .setSeq(writer.seq())
            .setOffset(writer.offset());
    slices.forEach(slice -> message.addSlices(toMessage(slice)));
    provenance.ifPresent(bytes -> message.setProvenance(ByteString.copyFrom(bytes.duplicate())));
    sidecar.ifPresent(
        object ->
            message.setProvenanceSidecar(
                SidecarMessage.newBuilder().setLength(object.length()).setCrc(object.crc())));
    return message.build().toByteArray();
  }

  private static SliceMessage.Builder toMessage(StoredSlice slice) {
    SliceMessage.Builder message =
        SliceMessage.newBuilder()
            .setOffset(slice.offset())
            .setLength(slice.length())
            .addAllBlockCrcs(slice.blockCrcs())
            .setRows(slice.rows().real())
            .setPaddingRows(slice.rows().padding());
    slice.blockLengths().forEach(message::addBlockLengths);
    for (Rows.Row row : slice.rows().table()) {
      message.addRowOffsets(row.offset());
      message.addRowTokens(row.tokens()).addRowDocuments(row.documents());
    }
    return message;
  }

  /**
   * The footer in its bytes, which are checked against the descriptor's checksum.
   *
   * @param key the object that holds it, for messages
   * @throws CorruptObject if the bytes are not the footer that was written
   */
  public static Footer decode(String key, int crc, ByteBuffer bytes) {
    int found = Checksum.of(bytes);
    if (found != crc) {
      throw new CorruptObject(key, "the footer", Checksum.text(crc), Checksum.text(found));
    }
    return Decoding.of(
        key,
        "the footer",
        "a valid footer",
        () -> fromMessage(key, FooterMessage.parseFrom(bytes.duplicate())));
  }

  private static Footer fromMessage(String key, FooterMessage message) {
    Mesh mesh = new Mesh(message.getDataParallel(), message.getContextParallel());
    return new Footer(
        mesh,
        LayoutCodec.fromMessage(key, message.getCpLayout(), message.getCpLayoutValue()),
        SchemaCodec.fromMessage(key, message.getSchema()),
        slices(message),
        provenance(message),
        sidecar(message),
        new Stamp(
            message.getProducer(), message.getEpoch(), message.getSeq(), message.getOffset()));
  }

  private static Optional<ByteBuffer> provenance(FooterMessage message) {
    return message.getProvenance().isEmpty()
        ? Optional.empty()
        : Optional.of(message.getProvenance().asReadOnlyByteBuffer());
  }

  private static Optional<Sidecar> sidecar(FooterMessage message) {
    SidecarMessage sidecar = message.getProvenanceSidecar();
    return message.hasProvenanceSidecar()
        ? Optional.of(new Sidecar(sidecar.getLength(), sidecar.getCrc()))
        : Optional.empty();
  }

  private static List<StoredSlice> slices(FooterMessage message) {
    List<StoredSlice> slices = new ArrayList<>();
    for (SliceMessage slice : message.getSlicesList()) {
      List<Integer> lengths = slice.getBlockLengthsList().stream().map(Math::toIntExact).toList();
      slices.add(
          new StoredSlice(
              slice.getOffset(),
              slice.getLength(),
              lengths,
              slice.getBlockCrcsList(),
              rows(slice)));
    }
    return slices;
  }

  private static Rows rows(SliceMessage slice) {
    List<Rows.Row> table = new ArrayList<>();
    int count = slice.getRowOffsetsCount();
    if (slice.getRowTokensCount() != count || slice.getRowDocumentsCount() != count) {
      throw new InvalidRequest("a row table with columns of different lengths");
    }
    for (int i = 0; i < count; i++) {
      table.add(
          new Rows.Row(slice.getRowOffsets(i), slice.getRowTokens(i), slice.getRowDocuments(i)));
    }
    return new Rows(slice.getRows(), slice.getPaddingRows(), table);
  }
}
