// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.Boundary;
import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Id128;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerArchive;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.ProducerTable;
import io.lakestream.format.ProducerTable.ArchiveRun;
import io.lakestream.format.SegmentTree;
import io.lakestream.format.StreamTables;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.NamespaceExists;
import io.lakestream.model.Pin;
import io.lakestream.policy.ForkSettings;
import io.lakestream.runtime.Environment;
import io.lakestream.store.PutOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the first version of a fork: a stream that refers to the batches of another one up to a
 * step, and goes its own way from there. For use by one thread, once.
 *
 * <p>The first step that the fork has is pinned in the source before the source is read. So what
 * the fork refers to stays, and the history below its end never changes. The fork has descriptors
 * of its own (as segments, nodes and a tail), so that only batches are read from the source. Its
 * versions go on behind those of the source, below a boundary: cursors of the source stay ordered
 * with its own, and its epochs are higher than those of the batches it took over.
 *
 * <p>Nobody sees the fork before its record is put, which comes last.
 */
public final class Forker {
  /** Namespaces that the batches of a fork of forks may be in. */
  private static final int SOURCES_MAX = 16;

  /** Puts of the first version of which nobody knows whether they took effect. */
  private static final int TRIES_MAX = 3;

  private final ManifestLog source;
  private final String sourcePlace;
  private final ManifestLog fork;
  private final String place;
  private final Environment environment;
  private final Pins pins;
  private final ForkObjects objects;

  /**
   * A forker.
   *
   * @param sourcePlace URI of the source, as the fork will open it
   * @param fork the log of the fork, at a place where nothing is
   * @param place URI of the fork
   */
  public Forker(
      ManifestLog source,
      String sourcePlace,
      ManifestLog fork,
      String place,
      Environment environment) {
    this.source = source;
    this.sourcePlace = sourcePlace;
    this.fork = fork;
    this.place = place;
    this.environment = environment;
    this.pins = new Pins(source, environment);
    this.objects = new ForkObjects(fork.store());
  }

  /**
   * Pins what the fork needs, in the source.
   *
   * @return the pin
   * @throws InvalidRequest if the source does not have the step of the fork yet
   * @throws io.lakestream.model.StepReclaimed if it does not have the first step any more
   * @throws CommitUnknown if the store does not say whether it was pinned
   */
  public Pin pin(ForkSettings settings) throws IOException {
    ManifestHeader header = source.heads().find(0).manifest().header();
    if (header.version() == 0) {
      throw new InvalidRequest("the stream has nothing to fork yet; create a namespace instead");
    }
    Grants.requireWithin(header, settings.at());
    Grants.requireThere(header, settings.at());
    long first = settings.from().orElse(header.firstStep());
    return pins.addFork(first, fork.namespace(), place);
  }

  /** Takes the pin back: the fork failed, or needs nothing of the source. */
  public void unpin(Pin pin) throws IOException {
    var unused = pins.remove(pin.name());
  }

  /**
   * Takes back the pins of earlier forks to this place, which were killed before they were made:
   * the place is that of another namespace now.
   */
  public void unpinOlder() throws IOException {
    pins.removeForks(place, fork.namespace());
  }

  /**
   * Claims the fork's place by its first boundary. Until this returns nothing there is ours.
   *
   * @return the head of the source that the fork is made from
   * @throws io.lakestream.model.CorruptObject if somebody else claimed the place
   */
  public CheckedHead<Manifest> claim() throws IOException {
    CheckedHead<Manifest> head = source.heads().find(0);
    Boundary claimed = fork.boundaries().raise(Boundary.NONE, head.version());
    objects.add(Names.boundary(claimed.index()));
    return head;
  }

  /**
   * Makes the fork's first version.
   *
   * @param head the head of the source, as {@link #claim} returned it
   * @param first the first step that the fork has
   * @throws InvalidRequest if the fork would come from too many namespaces, or producers cannot be
   *     resumed; the message says what to do
   * @throws io.lakestream.model.DataLoss if a namespace that the source was forked from is needed
   *     and gone
   * @throws NamespaceExists if somebody created a namespace there meanwhile
   * @throws CommitUnknown if the store does not say whether an object was put
   */
  public void build(CheckedHead<Manifest> head, long first, ForkSettings settings)
      throws IOException {
    Manifest from = head.manifest();
    long at = settings.at();
    long tailFirst = at - at % FormatLimits.SEGMENT_STEPS;
    StreamTables tables = tables(from.tables(), first, at);
    for (ForkSource older : from.tables().sources()) {
      if (older.endStep() > first) {
        var unused = source.source(older); // It is there, so that the fork will find it.
      }
    }
    ProducerTable producers = table(ProducersAt.find(source, head, at, settings.producers()));
    SegmentTree tree =
        new SegmentCopy(source, from, fork.namespace(), objects)
            .copy(first, tailFirst, environment.tasks());
    Id128 commitId = Id128.drawn(environment.entropy()::nextLong);
    Boundary boundary = new Boundary(1, head.version());
    Manifest sealed =
        new Manifest(
            ManifestHeader.ofFork(commitId, Math.min(first, tailFirst), tailFirst, boundary),
            List.of(),
            tree,
            producers,
            tables,
            List.of());
    put(
        new Manifest(
            ManifestHeader.ofFork(commitId, first, at, boundary),
            sealed.chunksWith(descriptors(head, tailFirst, at)),
            tree,
            producers,
            tables,
            List.of()));
  }

  /** Deletes what this has put. */
  public void clear() throws IOException {
    objects.clear();
  }

  private StreamTables tables(StreamTables from, long first, long at) {
    List<ForkSource> sources = new ArrayList<>();
    for (ForkSource older : from.sources()) {
      if (older.endStep() >= first) {
        long end = Math.min(older.endStep(), at);
        sources.add(new ForkSource(older.uri(), older.uuid(), end, older.extra()));
      }
    }
    sources.add(new ForkSource(sourcePlace, source.namespace(), at));
    StreamTables tables =
        new StreamTables(
            from.schemas(),
            from.skips().stream()
                .filter(skip -> skip.first() < at)
                .map(skip -> skip.below(at))
                .toList(),
            sources,
            from.extra());
    if (sources.size() > SOURCES_MAX || tables.bytes() > FormatLimits.TABLES_BYTES_MAX) {
      throw new InvalidRequest(
          ("the fork's steps would come from %d namespaces, with names and schemas of %d bytes; at"
                  + " most %d and %d: write the data anew")
              .formatted(
                  sources.size(), tables.bytes(), SOURCES_MAX, FormatLimits.TABLES_BYTES_MAX));
    }
    return tables;
  }

  private ProducerTable table(List<ProducerEntry> entries) throws IOException {
    if (entries.size() <= FormatLimits.RETIRED_MAX) {
      return new ProducerTable(List.of(), entries, List.of(), ProducerTable.EMPTY.extra());
    }
    List<ByteBuffer> bytes = new ProducerArchive(entries).encode(fork.namespace());
    Id128 hash = Id128.hashOf(bytes);
    objects.put(Names.archive(hash), bytes);
    ArchiveRun run = new ArchiveRun(hash, 1, entries.size());
    return new ProducerTable(List.of(), List.of(), List.of(run), ProducerTable.EMPTY.extra());
  }

  private List<Descriptor> descriptors(CheckedHead<Manifest> head, long first, long end)
      throws IOException {
    StepLocator locator = StepLocator.at(source, head);
    List<Descriptor> descriptors = new ArrayList<>();
    for (long step = first; step < end; step++) {
      Optional<Descriptor> found = locator.trimmedDescriptor(step);
      descriptors.add(found.isPresent() ? found.get() : locator.descriptor(step));
    }
    return descriptors;
  }

  /** Somebody who created a namespace here since the claim may have been faster. */
  private void put(Manifest first) throws IOException {
    String key = Names.manifest(first.version());
    PutOutcome outcome = fork.put(first);
    for (int i = 1; i < TRIES_MAX && outcome == PutOutcome.UNKNOWN; i++) {
      outcome = fork.put(first);
    }
    Optional<Manifest> found =
        outcome == PutOutcome.CREATED ? Optional.of(first) : fork.read(first.version());
    if (found.isEmpty()) {
      throw ForkObjects.unknown(key);
    }
    if (!found.get().header().commitId().equals(first.header().commitId())) {
      throw new NamespaceExists(
          "somebody else made a namespace at %s meanwhile; choose another place".formatted(place));
    }
    objects.add(key);
  }
}
