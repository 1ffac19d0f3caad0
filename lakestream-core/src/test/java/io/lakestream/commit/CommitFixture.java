// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.Boundary;
import io.lakestream.format.Descriptor;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.ImageLocation;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.format.SchemaCodec;
import io.lakestream.format.SliceIndex;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Schema;
import io.lakestream.policy.CommitSettings;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Entropy;
import io.lakestream.runtime.Environment;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** A namespace without data, its committers, and what they published. */
final class CommitFixture {
  static final UUID NAMESPACE = new UUID(1, 2);
  static final CommitSettings SETTINGS = new CommitSettings(10_000, 1_000, 1_000);

  private final AtomicLong nanos = new AtomicLong();
  private final List<Long> sleeps = new ArrayList<>();
  private final Environment environment;
  final ObjectStore store;
  final ManifestLog log;

  CommitFixture(ObjectStore store, long seed) {
    this.store = store;
    this.log = new ManifestLog(store, NAMESPACE);
    this.environment =
        new Environment(
            new SteppedClock(nanos, sleeps), new SeededEntropy(seed), Environment.system().tasks());
  }

  Environment environment() {
    return environment;
  }

  /** How long committers slept each time, in nanoseconds. */
  List<Long> sleeps() {
    return sleeps;
  }

  Committer committer(CommitSettings settings) throws IOException {
    return new Committer(log, environment, settings);
  }

  Committer committer() throws IOException {
    return new Committer(log, environment, SETTINGS);
  }

  static Descriptor descriptor(Term term, long seq) {
    ImageLocation image =
        new ImageLocation(0x1234_5678_9abc_def0L + seq, seq, 0, 100_000, 0, 90, 7);
    return new Descriptor(
        term.producer(),
        term.epoch(),
        seq,
        Long.toString(seq * 1_000),
        0,
        image,
        new SliceIndex.Uniform(99_000),
        CpLayout.OPAQUE,
        SchemaCodec.id(Schema.RAW),
        UnknownFieldSet.getDefaultInstance());
  }

  static PublishChange publish(Committer committer, Term term, long firstSeq, int count) {
    List<Descriptor> descriptors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      descriptors.add(descriptor(term, firstSeq + i));
    }
    return new PublishChange(
        committer.newCommitId(), term, descriptors, List.of(Schema.RAW), SchemaChange.REFUSED);
  }

  /** What the stream has from its first step on, as {@code producer/seq}. */
  List<String> steps() throws IOException {
    StepLocator locator = StepLocator.open(log, 0);
    List<String> steps = new ArrayList<>();
    for (long step = locator.header().firstStep(); step < locator.header().nextStep(); step++) {
      Descriptor descriptor = locator.descriptor(step);
      steps.add(descriptor.producer() + "/" + descriptor.seq());
    }
    return steps;
  }

  /** Raises the boundary and deletes what died. */
  void reclaimTo(long version) {
    try {
      Boundary before = log.boundaries().newest(Boundary.NONE);
      Boundary unused = log.boundaries().raise(before, version);
      List<String> dead = new ArrayList<>();
      for (long v = before.version() + 1; v <= version; v++) {
        dead.add(Names.manifest(v));
      }
      var failures = store.delete(dead);
      if (!failures.isEmpty()) {
        throw new AssertionError(failures);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All descriptors of a manifest's tail. */
  static List<Descriptor> tail(Manifest manifest) {
    return manifest.chunks().stream()
        .map(chunk -> chunk.decode("test"))
        .map(DescriptorBlock::descriptors)
        .flatMap(List::stream)
        .toList();
  }

  private record SteppedClock(AtomicLong nanos, List<Long> sleeps) implements Clock {
    @Override
    public long nanoTime() {
      return nanos.addAndGet(1_000);
    }

    @Override
    public long epochMillis() {
      return nanoTime() / 1_000_000;
    }

    @Override
    public void sleep(long durationNanos) {
      synchronized (sleeps) {
        sleeps.add(durationNanos);
      }
      nanos.addAndGet(Math.max(0, durationNanos));
    }
  }

  private static final class SeededEntropy implements Entropy {
    private final Random random;

    SeededEntropy(long seed) {
      this.random = new Random(seed);
    }

    @Override
    public synchronized long nextLong() {
      return random.nextLong();
    }

    @Override
    public synchronized double nextDouble() {
      return random.nextDouble();
    }
  }
}
