// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.commit;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.bench.Sample;
import io.lakestream.commit.CommitOutcome;
import io.lakestream.commit.Committer;
import io.lakestream.commit.PublishChange;
import io.lakestream.commit.Term;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Hint;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.Schema;
import io.lakestream.policy.CommitSettings;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.FileStore;
import io.lakestream.store.FileStore.Durability;
import io.lakestream.store.MeteredStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.RetryingStore;
import io.lakestream.store.StoreMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A stream with a history, to which one producer goes on committing: step by step, for real. */
final class LongStream implements AutoCloseable {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Path root;
  private final long steps;
  private final MeteredStore metered;
  private final ManifestLog log;
  private final Committer committer;
  private final Term term;
  private final List<Double> millis = new ArrayList<>();
  private long headBytesMax;
  private StoreMetrics start;

  private LongStream(
      Path root,
      long steps,
      MeteredStore metered,
      ManifestLog log,
      Committer committer,
      Term term) {
    this.root = root;
    this.steps = steps;
    this.metered = metered;
    this.log = log;
    this.committer = committer;
    this.term = term;
    this.start = metered.metrics();
  }

  private static LongStream open(Path root, long steps, UUID namespace)
      throws IOException, InterruptedException {
    Environment environment = Environment.system();
    MeteredStore metered =
        new MeteredStore(FileStore.open(root, Durability.FULL, environment), environment.clock());
    try {
      ObjectStore store = new RetryingStore(metered, RetryingStore.Settings.DEFAULT, environment);
      ManifestLog log = new ManifestLog(store, namespace);
      Committer committer = new Committer(log, environment, CommitSettings.DEFAULT);
      Term term = committer.open(History.PRODUCER).term();
      return new LongStream(root, steps, metered, log, committer, term);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      try (metered) {
        throw e;
      }
    }
  }

  /** A new stream below {@code root} with a history of {@code steps} steps. */
  static LongStream build(Path root, long steps) throws IOException, InterruptedException {
    Environment environment = Environment.system();
    ObjectStore unforced = FileStore.open(root, Durability.NONE, environment);
    String place = root.toUri().toString();
    try (Namespace created = Lakestream.create(unforced, place, History.MESH, environment)) {
      History.write(unforced, created.uuid(), steps);
      return open(root, steps, created.uuid());
    }
  }

  long steps() {
    return steps;
  }

  /** Forgets what was measured up to now. */
  void reset() {
    millis.clear();
    headBytesMax = 0;
    start = metered.metrics();
  }

  /** Publishes one more step, and measures that. */
  void commit() throws IOException, InterruptedException {
    long step = committer.head().manifest().header().nextStep();
    Descriptor next =
        History.descriptor(term.epoch(), step, Environment.system().entropy().nextLong());
    long beginNanos = System.nanoTime();
    CommitOutcome outcome =
        committer.commit(
            new PublishChange(
                committer.newCommitId(),
                term,
                List.of(next),
                List.of(Schema.RAW),
                SchemaChange.REFUSED));
    millis.add((System.nanoTime() - beginNanos) / NANOS_PER_MILLI);
    headBytesMax = Math.max(headBytesMax, outcome.head().manifest().bytes());
  }

  /** Times of the commits since the last reset, in milliseconds. */
  Sample commitMillis() {
    return new Sample(millis);
  }

  /** Bytes put per commit since the last reset: manifests, segments, index nodes and hints. */
  double bytesPerCommit() {
    return (double) metered.metrics().minus(start).total().bytesWritten() / millis.size();
  }

  /** The longest head since the last reset. */
  long headBytesMax() {
    return headBytesMax;
  }

  /** Requests until somebody new has found the head, with a hint so many versions old. */
  long coldOpenRequests(long versionsStale) throws IOException {
    CheckedHead<Manifest> head = committer.head();
    Hint hint = new Hint(head.version() - versionsStale, head.boundary().index());
    log.store().put(Names.HINT, Body.of(hint.encode(log.namespace())));
    Environment environment = Environment.system();
    MeteredStore counted =
        new MeteredStore(FileStore.open(root, Durability.FULL, environment), environment.clock());
    try (Namespace opened = Lakestream.open(counted, root.toUri().toString(), environment)) {
      StepLocator found = StepLocator.open(new ManifestLog(counted, opened.uuid()), 0);
      requireHead(found, head);
      return counted.metrics().total().requests();
    }
  }

  /** Requests of one look for a newer head when there is none. */
  long warmPollRequests() throws IOException {
    StepLocator locator = StepLocator.open(log, 0);
    requireHead(locator, committer.head());
    long before = metered.metrics().total().requests();
    if (locator.poll()) {
      throw new AssertionError("there is news, though nobody commits");
    }
    return metered.metrics().total().requests() - before;
  }

  private static void requireHead(StepLocator found, CheckedHead<Manifest> head) {
    if (found.header().version() != head.version()) {
      throw new AssertionError(
          "version %d was found, the head is %d"
              .formatted(found.header().version(), head.version()));
    }
  }

  @Override
  public void close() throws IOException {
    metered.close();
  }
}
