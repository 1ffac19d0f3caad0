// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.consume.SliceReader;
import io.lakestream.format.Checksum;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Footer;
import io.lakestream.format.Manifest;
import io.lakestream.format.SchemaCodec;
import io.lakestream.format.SliceIndex;
import io.lakestream.format.TgbImage;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Cell;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads every byte of a step's image: header, each slice against its trailer and the footer, the
 * footer against the descriptor, the tail, and the provenance beside it.
 */
final class ImageCheck {
  private final ManifestLog log;
  private final Findings findings;
  private final Manifest head;
  private final Mesh mesh;

  ImageCheck(ManifestLog log, Findings findings, Manifest head, Mesh mesh) {
    this.log = log;
    this.findings = findings;
    this.head = head;
    this.mesh = mesh;
  }

  /** Checks the image of a step whose objects are there. */
  void step(long step, Descriptor descriptor) throws IOException, InterruptedException {
    ManifestLog.Home home = log.home(step, head.tables().sources());
    SliceReader reader = new SliceReader(home.store(), mesh);
    String key = descriptor.objectKeys().get(0);
    Subject subject = Subject.step(Invariant.I5, key, step);
    findings.expect(subject, () -> header(key, descriptor, reader, home.namespace()));
    findings.expect(subject, () -> tail(key, descriptor, reader));
    Optional<Footer> footer = findings.expect(subject, () -> reader.footer(descriptor));
    Optional<Footer> right =
        footer.isEmpty()
            ? footer
            : findings.expect(subject, () -> Optional.of(agreeing(key, descriptor, footer.get())));
    if (right.isPresent()) {
      findings.expect(subject, () -> provenance(descriptor, right.get(), reader));
    }
    for (int i = 0; i < mesh.cells(); i++) {
      Cell cell = mesh.cell(i);
      findings.expect(subject, () -> slice(step, descriptor, right, cell, reader));
    }
  }

  private static Optional<Boolean> header(
      String key, Descriptor descriptor, SliceReader reader, UUID namespace) throws IOException {
    return reader
        .bytes(descriptor, new SliceIndex.Range(0, TgbImage.HEADER_BYTES))
        .map(
            bytes -> {
              TgbImage.checkHeader(key, namespace, bytes);
              return true;
            });
  }

  private static Optional<Boolean> tail(String key, Descriptor descriptor, SliceReader reader)
      throws IOException {
    long length = descriptor.image().length();
    TgbImage.FooterPlace expected =
        new TgbImage.FooterPlace(descriptor.image().footer(), descriptor.image().footerCrc());
    return reader
        .bytes(descriptor, new SliceIndex.Range(length - TgbImage.TAIL_BYTES, TgbImage.TAIL_BYTES))
        .map(
            bytes -> {
              TgbImage.FooterPlace found = TgbImage.footerPlace(key, length, bytes);
              require(key, "the image's tail", expected, found);
              return true;
            });
  }

  private static void require(String key, String place, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new CorruptObject(key, place, expected.toString(), found.toString());
    }
  }

  /** The footer, if it says the same as the descriptor. */
  private Footer agreeing(String key, Descriptor descriptor, Footer footer) {
    Footer.Stamp writer =
        new Footer.Stamp(
            descriptor.producer(), descriptor.epoch(), descriptor.seq(), descriptor.offset());
    require(key, "the footer", writer, footer.writer());
    require(key, "the footer", mesh, footer.mesh());
    require(key, "the footer", descriptor.cpLayout(), footer.cpLayout());
    require(
        key,
        "the footer",
        "schema %016x".formatted(descriptor.schemaId()),
        "schema %016x".formatted(SchemaCodec.id(footer.schema())));
    if (!(descriptor.sliceIndex() instanceof SliceIndex.InFooter)) {
      for (int i = 0; i < mesh.cells(); i++) {
        SliceIndex.Range range = descriptor.sliceIndex().locate(() -> key, i);
        require(key, "the footer", range, footer.slices().get(i).range());
      }
    }
    Footer.StoredSlice last = footer.slices().get(mesh.cells() - 1);
    require(
        key,
        "the footer",
        "slices up to byte " + descriptor.image().footer().offset(),
        "slices up to byte " + (last.offset() + last.length()));
    return footer;
  }

  private static Optional<Boolean> provenance(
      Descriptor descriptor, Footer footer, SliceReader reader) throws IOException {
    Optional<ByteBuffer> unused = reader.provenance(descriptor, footer);
    return Optional.of(true);
  }

  private Optional<RankBatch> slice(
      long step, Descriptor descriptor, Optional<Footer> footer, Cell cell, SliceReader reader)
      throws IOException {
    Schema schema = head.tables().schema(descriptor.schemaId()).orElse(Schema.RAW);
    Optional<RankBatch> batch = reader.read(step, descriptor, schema, cell);
    if (batch.isPresent()) {
      for (TensorSpec tensor : schema.tensors()) {
        RankBatch.Tensor unused = batch.get().tensor(tensor.name());
      }
      if (footer.isPresent()) {
        compare(descriptor, footer.get().slices().get(mesh.index(cell)), batch.get());
      }
    }
    return batch;
  }

  private static void compare(Descriptor descriptor, Footer.StoredSlice stored, RankBatch batch) {
    String key = descriptor.objectKeys().get(0);
    String place = "slice %d,%d".formatted(batch.cell().d(), batch.cell().c());
    List<Integer> lengths = batch.blockBytes();
    require(key, place, stored.blockLengths(), lengths);
    int start = 0;
    ByteBuffer payload = batch.payload();
    for (int i = 0; i < lengths.size(); i++) {
      int crc = Checksum.of(payload.slice(start, lengths.get(i)));
      require(key, place, Checksum.text(stored.blockCrcs().get(i)), Checksum.text(crc));
      start += lengths.get(i);
    }
  }
}
