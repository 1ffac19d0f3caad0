// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.format.Checksum;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Footer;
import io.lakestream.format.ImageLocation.ObjectRange;
import io.lakestream.format.SliceIndex;
import io.lakestream.format.SliceTrailer;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.Cell;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Schema;
import io.lakestream.model.StepInfo;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Reads slices: one range read for a slice whose index travels in its descriptor, one more for the
 * footer otherwise. Safe for use by several threads.
 */
public final class SliceReader {
  private final ObjectStore store;
  private final Mesh mesh;

  /** A reader of a stream that was written for a mesh. */
  public SliceReader(ObjectStore store, Mesh mesh) {
    this.store = store;
    this.mesh = mesh;
  }

  /**
   * Bytes that a read for a rank will hold, as far as the descriptor says; its share of the image
   * otherwise.
   */
  long expectedBytes(Descriptor descriptor, Reshape reshape, int replica) {
    Mesh job = reshape.job().mesh();
    if (reshape.isWhole() && !(descriptor.sliceIndex() instanceof SliceIndex.InFooter)) {
      int index = mesh.index(new Cell(replica, reshape.job().cell().c()));
      return descriptor.sliceIndex().locate(() -> key(descriptor), index).length();
    }
    long replicas =
        reshape.dealsRows()
            ? Math.min(mesh.dataParallel(), job.dataParallel())
            : mesh.dataParallel();
    long contexts = Math.min(mesh.contextParallel(), job.contextParallel());
    return Math.max(1, descriptor.image().length() / (replicas * contexts));
  }

  /**
   * The slice of a step, checked.
   *
   * @return empty if an object that should have it is missing
   * @throws CorruptObject if the bytes are not those that were written
   */
  public Optional<RankBatch> read(long step, Descriptor descriptor, Schema schema, Cell cell)
      throws IOException {
    Optional<SliceIndex.Range> range = range(descriptor, cell);
    if (range.isEmpty()) {
      return Optional.empty();
    }
    StepInfo info = descriptor.info(step);
    List<ObjectRange> places = descriptor.image().locate(info.objects(), range.get());
    Optional<ByteBuffer> stored = read(places);
    return stored.map(
        bytes -> {
          ObjectRange first = places.get(0);
          List<ByteBuffer> blocks = SliceTrailer.check(first.key(), first.offset(), bytes);
          List<Integer> blockBytes = blocks.stream().map(ByteBuffer::remaining).toList();
          int length = blockBytes.stream().mapToInt(Integer::intValue).sum();
          return new RankBatch(
              info,
              mesh,
              cell,
              descriptor.cpLayout(),
              schema,
              bytes.slice(bytes.position(), length),
              blockBytes);
        });
  }

  /** A read of a step that finds nothing if an object is missing. */
  @FunctionalInterface
  public interface Attempt<T> {
    Optional<T> read(Descriptor descriptor) throws IOException;
  }

  /** The objects that a read of a step needs. */
  @FunctionalInterface
  private interface Keys {
    List<String> of(Descriptor descriptor);
  }

  /**
   * A read of the slices or the footer of a step, which looks again when an object is missing. It
   * may have been reclaimed since its descriptor was found, which a head found anew says; only what
   * is missing under that head too is lost.
   *
   * @throws io.lakestream.model.StepReclaimed if the step was reclaimed meanwhile
   * @throws DataLoss if an object that should have it is gone
   */
  public static <T> T readAgainIfMissing(
      ManifestLog log, long step, Descriptor descriptor, Attempt<T> attempt) throws IOException {
    return readAgainIfMissing(log, step, descriptor, attempt, Descriptor::objectKeys);
  }

  private static <T> T readAgainIfMissing(
      ManifestLog log, long step, Descriptor descriptor, Attempt<T> attempt, Keys keys)
      throws IOException {
    Optional<T> found = attempt.read(descriptor);
    if (found.isPresent()) {
      return found.get();
    }
    StepLocator locator = StepLocator.open(log, 0);
    Descriptor again = locator.descriptor(step);
    Optional<T> foundAgain = attempt.read(again);
    if (foundAgain.isEmpty()) {
      throw lost(step, keys.of(again), locator.tables().sources());
    }
    return foundAgain.get();
  }

  private static DataLoss lost(long step, List<String> keys, List<ForkSource> forkedFrom) {
    String place =
        ForkSource.of(step, forkedFrom)
            .map(source -> " at %s, which this namespace is a fork of,".formatted(source.uri()))
            .orElse("");
    return new DataLoss(
        "%s%s is missing, though step %d refers to it and is not reclaimed; restore it"
            .formatted(String.join(", ", keys), place, step));
  }

  /**
   * The footer of a step, checked.
   *
   * @return empty if an object that should have it is missing
   */
  public Optional<Footer> footer(Descriptor descriptor) throws IOException {
    List<ObjectRange> places = descriptor.locate(descriptor.image().footer());
    Optional<Footer> footer =
        read(places)
            .map(
                bytes -> Footer.decode(places.get(0).key(), descriptor.image().footerCrc(), bytes));
    footer.ifPresent(found -> checkMesh(descriptor, found));
    return footer;
  }

  /**
   * A range of a step's image, of exact length and otherwise not checked.
   *
   * @return empty if an object that should have it is missing
   */
  public Optional<ByteBuffer> bytes(Descriptor descriptor, SliceIndex.Range range)
      throws IOException {
    return read(descriptor.locate(range));
  }

  private void checkMesh(Descriptor descriptor, Footer footer) {
    if (!footer.mesh().equals(mesh)) {
      throw new CorruptObject(
          key(descriptor), "the footer", "a %s mesh".formatted(mesh), footer.mesh().toString());
    }
  }

  /**
   * Where the samples of a step came from, checked, in the footer or beside it. Looks again as
   * {@link #readAgainIfMissing} does.
   *
   * @param footer the footer of the step
   * @return empty if the writer did not say
   * @throws io.lakestream.model.StepReclaimed if the step was reclaimed meanwhile
   * @throws DataLoss if the object that has it is gone
   */
  public Optional<ByteBuffer> provenanceAgainIfMissing(
      ManifestLog log, long step, Descriptor descriptor, Footer footer) throws IOException {
    if (footer.sidecar().isEmpty()) {
      return footer.provenance();
    }
    Footer.Sidecar sidecar = footer.sidecar().get();
    return Optional.of(
        readAgainIfMissing(
            log,
            step,
            descriptor,
            at -> readSidecar(at, sidecar),
            at -> List.of(at.provenanceKey())));
  }

  /**
   * Where the samples of a step came from, checked, in the footer or beside it.
   *
   * @param footer the footer of the step
   * @return empty if the writer did not say
   * @throws DataLoss if the object that has it is missing
   */
  public Optional<ByteBuffer> provenance(Descriptor descriptor, Footer footer) throws IOException {
    if (footer.sidecar().isEmpty()) {
      return footer.provenance();
    }
    Optional<ByteBuffer> bytes = readSidecar(descriptor, footer.sidecar().get());
    if (bytes.isEmpty()) {
      throw new DataLoss(
          "%s is missing: it has the provenance of a step; restore it"
              .formatted(descriptor.provenanceKey()));
    }
    return bytes;
  }

  private Optional<ByteBuffer> readSidecar(Descriptor descriptor, Footer.Sidecar sidecar)
      throws IOException {
    String key = descriptor.provenanceKey();
    Optional<ByteBuffer> found = store.read(key);
    found.ifPresent(bytes -> check(key, sidecar, bytes));
    return found;
  }

  private static void check(String key, Footer.Sidecar sidecar, ByteBuffer bytes) {
    if (bytes.remaining() != sidecar.length() || Checksum.of(bytes) != sidecar.crc()) {
      throw new CorruptObject(
          key,
          "all bytes",
          "%d bytes with %s".formatted(sidecar.length(), Checksum.text(sidecar.crc())),
          "%d bytes with %s".formatted(bytes.remaining(), Checksum.text(Checksum.of(bytes))));
    }
  }

  private Optional<SliceIndex.Range> range(Descriptor descriptor, Cell cell) throws IOException {
    int index = mesh.index(cell);
    return index(descriptor).map(known -> known.locate(() -> key(descriptor), index));
  }

  /** Where the slices are: as the descriptor says, or the footer, which is read then. */
  Optional<SliceIndex> index(Descriptor descriptor) throws IOException {
    return descriptor.sliceIndex() instanceof SliceIndex.InFooter
        ? footer(descriptor).map(SliceReader::index)
        : Optional.of(descriptor.sliceIndex());
  }

  private static SliceIndex index(Footer footer) {
    return new SliceIndex.Lengths(
        footer.slices().stream().map(Footer.StoredSlice::length).toList());
  }

  /** A range of a step's image; empty if an object that should have it is missing. */
  Optional<ByteBuffer> read(Descriptor descriptor, SliceIndex.Range range) throws IOException {
    return read(descriptor.locate(range));
  }

  static String key(Descriptor descriptor) {
    return descriptor.objectKeys().get(0);
  }

  private Optional<ByteBuffer> read(List<ObjectRange> places) throws IOException {
    if (places.size() == 1) {
      return read(places.get(0));
    }
    long length = places.stream().mapToLong(ObjectRange::length).sum();
    ByteBuffer joined = ByteBuffer.allocate(Math.toIntExact(length));
    for (ObjectRange place : places) {
      Optional<ByteBuffer> part = read(place);
      if (part.isEmpty()) {
        return part;
      }
      joined.put(part.get());
    }
    return Optional.of(joined.flip());
  }

  private Optional<ByteBuffer> read(ObjectRange place) throws IOException {
    int length = Math.toIntExact(place.length());
    Optional<ByteBuffer> bytes = store.read(place.key(), place.offset(), length);
    if (bytes.isPresent() && bytes.get().remaining() != length) {
      throw new CorruptObject(
          place.key(),
          "bytes %d-%d".formatted(place.offset(), place.offset() + length - 1),
          length + " bytes",
          bytes.get().remaining() + " bytes: the object is cut off");
    }
    return bytes;
  }
}
