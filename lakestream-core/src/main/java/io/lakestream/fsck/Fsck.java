// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.format.Descriptor;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.ProducerEntry;
import io.lakestream.format.StreamTables.ForkSource;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.SegmentReader;
import io.lakestream.model.CheckReport;
import io.lakestream.model.CheckReport.Depth;
import io.lakestream.model.CheckReport.Invariant;
import io.lakestream.model.Mesh;
import io.lakestream.store.StoreProbe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks a namespace against what always holds, object by object, and repairs nothing.
 *
 * <p>Why a stream that is written meanwhile shows no false problems. The head is read first and all
 * is judged by it; what it refers to was durable before it was put, so a listing made afterwards
 * has it. What is newer than the head only ever shows up as something that the head does not refer
 * to, which is a note. What was reclaimed meanwhile is dead by a boundary or first step that is
 * read after it was missed ({@link Findings}).
 */
public final class Fsck {
  private final ManifestLog log;
  private final Mesh mesh;
  private final Depth depth;
  private final CheckReport.Listener listener;
  private final Meanwhile meanwhile;
  private final Findings findings;
  private final Listing listing;

  private Fsck(ManifestLog log, Mesh mesh, Depth depth, CheckReport.Listener listener) {
    this.log = log;
    this.mesh = mesh;
    this.depth = depth;
    this.listener = listener;
    this.meanwhile = new Meanwhile(log);
    this.findings = new Findings(meanwhile);
    this.listing = new Listing(log.store());
  }

  /**
   * Checks a namespace.
   *
   * @throws IOException if the store fails, rather than single objects in it
   */
  public static CheckReport run(
      ManifestLog log, Mesh mesh, Depth depth, CheckReport.Listener listener)
      throws IOException, InterruptedException {
    return new Fsck(log, mesh, depth, listener).run();
  }

  private CheckReport run() throws IOException, InterruptedException {
    BoundaryCheck boundaries = new BoundaryCheck(log, findings, meanwhile);
    VersionCheck versions = new VersionCheck(log, findings, meanwhile, boundaries, listener);
    boundaries.run(listing);
    Manifest head = versions.findHead(listing);
    long boundary = meanwhile.boundary().version();
    versions.run(head);
    checkSteps(head, versions.left());
    new PromiseCheck(log, findings).run(head);
    Tally probes = listing.tally(StoreProbe.FOLDER);
    note(probes, StoreProbe.FOLDER, "were left by a check of the store: harmless");
    return new CheckReport(
        head.version(),
        boundary,
        versions.checked(),
        head.header().firstStep(),
        head.header().nextStep(),
        listing.objects(),
        listing.bytes(),
        findings.problems(),
        findings.more(),
        findings.notes());
  }

  private void checkSteps(Manifest head, LeftChunks left) throws IOException, InterruptedException {
    Listed data = listing.list(Names.DATA);
    Listed segments = listing.list(Names.SEGMENTS);
    Listed archives = listing.list(Names.ARCHIVES);
    ArchiveCheck archive = new ArchiveCheck(log, findings, archives);
    Map<String, ProducerEntry> entries = archive.run(head);
    ProducerCheck producers = new ProducerCheck(findings, head);
    ObjectCheck objects = new ObjectCheck(log, findings, head, data);
    SegmentReader reader = new SegmentReader(log.store(), log.namespace());
    StepWalk.Visitor visitor = visitor(head, producers, objects);
    new StepWalk(reader, segments, findings, left, head, visitor).run();
    producers.finish(entries, archive.isWhole());
    objects.finish();
    if (head.version() > 0) {
      note(
          data.unreferenced(),
          Names.DATA,
          "belong to no step of version "
              + head.version()
              + ": on their way to one, left by a producer that crashed, or of steps that were"
              + " trimmed; none is missed");
      note(segments.unreferenced(), Names.SEGMENTS, "are not referred to (yet)");
      note(archives.unreferenced(), Names.ARCHIVES, "are not referred to (any more)");
    }
  }

  private void note(Tally tally, String folder, String what) {
    if (!tally.isEmpty()) {
      findings.note(
          "objects under %s that %s: %d, of %d bytes"
              .formatted(folder, what, tally.objects(), tally.bytes()),
          tally.examples());
    }
  }

  private StepWalk.Visitor visitor(Manifest head, ProducerCheck producers, ObjectCheck objects)
      throws IOException, InterruptedException {
    ImageCheck images = new ImageCheck(log, findings, head, mesh);
    long first = head.header().firstStep();
    long total = head.header().nextStep() - first;
    List<StepRange> unreachable = unreachable(head);
    return new StepWalk.Visitor() {
      @Override
      public void step(String holder, long step, Descriptor descriptor)
          throws IOException, InterruptedException {
        producers.step(holder, step, descriptor);
        boolean isReachable = unreachable.stream().noneMatch(steps -> steps.contains(step));
        boolean isThere = isReachable && objects.step(holder, step, descriptor);
        if (isThere && depth == Depth.EVERY_BYTE) {
          images.step(step, descriptor);
        }
        listener.progress("steps", step - first + 1, total);
      }

      @Override
      public void unreadable() {
        producers.unreadable();
      }
    };
  }

  /** The steps of sources that are gone: a fork cannot do without, and their batches go unseen. */
  private List<StepRange> unreachable(Manifest head) throws IOException, InterruptedException {
    List<StepRange> unreachable = new ArrayList<>();
    long first = head.header().firstStep();
    for (ForkSource source : head.tables().sources()) {
      StepRange steps = new StepRange(first, source.endStep());
      Subject subject = Subject.step(Invariant.I5, source.uri(), source.endStep() - 1);
      if (!steps.isEmpty()
          && findings.expect(subject, () -> Optional.of(log.source(source))).isEmpty()) {
        unreachable.add(steps);
      }
      first = Math.max(first, source.endStep());
    }
    return unreachable;
  }

  /** Steps from {@code first} to before {@code end}. */
  private record StepRange(long first, long end) {
    boolean isEmpty() {
      return first >= end;
    }

    boolean contains(long step) {
      return first <= step && step < end;
    }
  }
}
