// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.consume.SliceReader;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Footer;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.SkipSet;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.Cell;
import io.lakestream.model.DataLoss;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Schema;
import io.lakestream.model.SkippedRange;
import io.lakestream.model.StepInfo;
import io.lakestream.model.StoreUnavailable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * A look at a stream as it was when the view was opened or last refreshed, for tools: what is
 * there, who wrote it, and where it is. For use by one thread.
 *
 * <p>Whatever reads the store throws {@link StoreUnavailable} if that fails, {@link
 * io.lakestream.model.CorruptObject} if the stream's objects are damaged, and {@link DataLoss} if
 * one is missing.
 */
public final class StreamView {
  private final ManifestLog log;
  private CheckedHead<Manifest> head;
  private StepLocator locator;
  private final Mesh mesh;

  private StreamView(ManifestLog log, Mesh mesh, CheckedHead<Manifest> head, StepLocator locator) {
    this.log = log;
    this.head = head;
    this.locator = locator;
    this.mesh = mesh;
  }

  static StreamView open(ManifestLog log, Mesh mesh) {
    return reading(
        "the head",
        () -> {
          CheckedHead<Manifest> head = log.heads().find(0);
          return new StreamView(log, mesh, head, StepLocator.at(log, head));
        });
  }

  /**
   * Looks for a newer head: two small requests if there is none.
   *
   * @return whether there was one
   */
  public boolean refresh() {
    CheckedHead<Manifest> newest = reading("the head", () -> log.heads().follow(head));
    if (newest.version() == head.version()) {
      return false;
    }
    head = newest;
    locator = StepLocator.at(log, newest);
    return true;
  }

  /**
   * The stream as a whole.
   *
   * @param version the head's version; 0 if nothing was ever committed
   * @param firstStep first step that is not trimmed
   * @param nextStep one past the last step
   * @param isSealed whether the stream has its end
   * @param headBytes length of the head
   * @param tailSteps descriptors in the head itself
   * @param segmentReferences segments and index nodes that the head refers to
   * @param activeProducers producers that have a term
   * @param boundary highest version that is dead, or 0
   * @param schemas what batches of the stream consist of
   * @param skippedSteps how many of its steps are to be skipped by a start that is made now
   * @param sources of a fork, the namespaces that its first steps come from, those of the lowest
   *     steps first; the last is the one that it was forked from
   */
  public record Summary(
      long version,
      long firstStep,
      long nextStep,
      boolean isSealed,
      long headBytes,
      int tailSteps,
      int segmentReferences,
      int activeProducers,
      long boundary,
      List<Schema> schemas,
      long skippedSteps,
      List<Source> sources) {
    public Summary {
      schemas = List.copyOf(schemas);
      sources = List.copyOf(sources);
    }
  }

  /**
   * A namespace that steps of a fork come from.
   *
   * @param place its URI
   * @param uuid its uuid
   * @param endStep steps below come from it, unless from one before
   */
  public record Source(String place, UUID uuid, long endStep) {}

  /** The stream as a whole. */
  public Summary summary() {
    Manifest manifest = head.manifest();
    ManifestHeader header = manifest.header();
    return new Summary(
        header.version(),
        header.firstStep(),
        header.nextStep(),
        header.isSealed(),
        header.version() == 0 ? 0 : manifest.bytes(),
        manifest.tailSteps(),
        manifest.tree().references().size(),
        manifest.producers().active().size(),
        head.boundary().version(),
        manifest.tables().schemas().stream().map(entry -> entry.schema()).toList(),
        SkipSet.of(manifest.tables().skips(), header.version()).count(header.firstStep()),
        manifest.tables().sources().stream()
            .map(source -> new Source(source.uri(), source.uuid(), source.endStep()))
            .toList());
  }

  /** What jobs are to skip, in the order in which it was recorded, without what was trimmed. */
  public List<SkippedRange> skips() {
    return skips(head.manifest());
  }

  static List<SkippedRange> skips(Manifest manifest) {
    return manifest.tables().skips().stream()
        .map(skip -> new SkippedRange(skip.first(), skip.last() + 1, skip.version(), skip.reason()))
        .toList();
  }

  /**
   * One manifest version.
   *
   * @param version the version
   * @param kind why it was committed: publish, open, retire, seal, trim or skip
   * @param committer id of the producer that committed it, or empty for an operator
   * @param epoch the producer's term
   * @param firstStep first step that is not trimmed
   * @param nextStep one past the last step
   * @param newSteps how many steps it added
   * @param commitId whose it is
   * @param bytes its length
   */
  public record Version(
      long version,
      String kind,
      String committer,
      long epoch,
      long firstStep,
      long nextStep,
      long newSteps,
      String commitId,
      long bytes) {}

  /** A version, or empty if there is none; dead versions are not shown. */
  public Optional<Version> version(long version) {
    if (version <= head.boundary().version() || version > head.version()) {
      return Optional.empty();
    }
    return reading("version " + version, () -> log.read(version)).map(StreamView::version);
  }

  private static Version version(Manifest manifest) {
    ManifestHeader header = manifest.header();
    return new Version(
        header.version(),
        header.kind().name().toLowerCase(Locale.ROOT),
        header.committer(),
        header.epoch(),
        header.firstStep(),
        header.nextStep(),
        header.newSteps(),
        header.commitId().toString(),
        manifest.bytes());
  }

  /**
   * A producer of the stream.
   *
   * @param id its id
   * @param isActive whether it has a term
   * @param epoch its newest term
   * @param tgbs how many batches it published
   * @param offset the offset of the last of them
   * @param lastVersion the version of its last commit
   */
  public record ProducerStatus(
      String id,
      boolean isActive,
      long epoch,
      long tgbs,
      Optional<String> offset,
      long lastVersion) {}

  /** The active producers, and those that retired of late. */
  public List<ProducerStatus> producers() {
    List<ProducerStatus> producers = new ArrayList<>();
    head.manifest().producers().active().forEach(entry -> producers.add(status(entry, true)));
    head.manifest().producers().retired().forEach(entry -> producers.add(status(entry, false)));
    return producers;
  }

  private static ProducerStatus status(ProducerEntry entry, boolean isActive) {
    return new ProducerStatus(
        entry.id(), isActive, entry.epoch(), entry.nextSeq(), entry.offset(), entry.lastVersion());
  }

  /**
   * What the stream knows of a step.
   *
   * @throws InvalidRequest if there is no such step yet
   * @throws io.lakestream.model.StepReclaimed if there is none any more
   */
  public StepInfo step(long step) {
    return descriptor(step).info(step);
  }

  /**
   * A slice of a step, checked.
   *
   * @throws InvalidRequest if there is no such step yet, or no such slice
   * @throws io.lakestream.model.StepReclaimed if there is none any more
   * @throws DataLoss if its object is missing
   */
  public RankBatch slice(long step, Cell cell) {
    Descriptor descriptor = descriptor(step);
    return reading(
        "step " + step,
        () -> {
          Schema schema =
              locator
                  .tables()
                  .schema(descriptor.schemaId())
                  .orElseThrow(
                      () -> new DataLoss("the schema of step %d is missing".formatted(step)));
          SliceReader slices = slices(step);
          return SliceReader.readAgainIfMissing(
              log, step, descriptor, at -> slices.read(step, at, schema, cell));
        });
  }

  /**
   * The footer of a step and what stands beside it, checked.
   *
   * @throws InvalidRequest if there is no such step yet
   * @throws io.lakestream.model.StepReclaimed if there is none any more
   * @throws DataLoss if its object is missing
   */
  public StepFooter footer(long step) {
    Descriptor descriptor = descriptor(step);
    return reading(
        "the footer of step " + step,
        () -> {
          SliceReader slices = slices(step);
          Footer footer = SliceReader.readAgainIfMissing(log, step, descriptor, slices::footer);
          return StepFooter.of(
              footer, slices.provenanceAgainIfMissing(log, step, descriptor, footer));
        });
  }

  private SliceReader slices(long step) throws IOException {
    return new SliceReader(log.home(step, head.manifest().tables().sources()).store(), mesh);
  }

  private Descriptor descriptor(long step) {
    if (step < 0 || step >= locator.header().nextStep()) {
      throw new InvalidRequest(
          "there is no step %d: the stream has steps %d to %d"
              .formatted(step, locator.header().firstStep(), locator.header().nextStep() - 1));
    }
    return reading("step " + step, () -> locator.descriptor(step));
  }

  /** A read of the store. */
  @FunctionalInterface
  private interface Read<T> {
    T read() throws IOException;
  }

  private static <T> T reading(String what, Read<T> read) {
    try {
      return read.read();
    } catch (IOException e) {
      throw new StoreUnavailable("%s could not be read: %s".formatted(what, e.getMessage()), e);
    }
  }
}
