// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.format.Boundary;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Names;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.ProducerFenced;
import io.lakestream.store.Body;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.RandomFaults;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Producers that race, lose replies, die, return and fence each other, while old versions are
 * deleted under them: afterwards every acknowledged batch is in exactly one step, and each
 * producer's batches are dense and in order.
 */
final class ConcurrentCommitTest {
  private static final int PRODUCERS = 6;
  private static final int PROCESSES_EACH = 2;
  private static final int BATCHES = 150;

  /** Versions that come up between two reclaimings. */
  private static final int RECLAIMED_EVERY = 20;

  private static final Duration LONGEST_RUN = Duration.ofMinutes(2);

  private final Map<String, Long> acknowledged = Collections.synchronizedMap(new TreeMap<>());
  private final AtomicInteger fenced = new AtomicInteger();

  /** New seeds, or the one of {@code -Dlakestream.seed}, to repeat a failure. */
  static LongStream seeds() {
    Long asked = Long.getLong("lakestream.seed");
    return asked == null ? new Random().longs(5) : LongStream.of(asked);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyAcknowledgedBatchIsInExactlyOneStep(long seed) throws Exception {
    ContendedStore store = new ContendedStore();
    ExecutorService pool = Executors.newCachedThreadPool();
    List<Future<?>> work = new ArrayList<>();
    for (int i = 0; i < PRODUCERS * PROCESSES_EACH; i++) {
      String id = "p" + i % PRODUCERS;
      long own = seed + i;
      CommitFixture stream = new CommitFixture(new RandomFaults(store, own), own);
      work.add(pool.submit(() -> produce(stream, id, own)));
    }
    CommitFixture stream = new CommitFixture(store, seed);
    Future<?> reclaimer = pool.submit(() -> reclaim(stream, store.created));
    for (Future<?> future : work) {
      assertThat(future).as("seed %d", seed).succeedsWithin(LONGEST_RUN);
    }
    reclaimer.cancel(true);
    pool.shutdown();
    assertStream("seed " + seed, stream);
    assertThat(store.lost).as("seed %d: commits that lost a race", seed).hasPositiveValue();
    assertThat(fenced).as("seed %d: processes that were fenced", seed).hasPositiveValue();
  }

  /** Tells of the versions that are created, and counts the creates that were too late. */
  private static final class ContendedStore extends ForwardingStore {
    final Semaphore created = new Semaphore(0);
    final AtomicInteger lost = new AtomicInteger();

    ContendedStore() {
      super(new MemoryStore());
    }

    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      PutOutcome outcome = super.putIfAbsent(key, body);
      if (key.startsWith("manifest/")) {
        switch (outcome) {
          case CREATED -> created.release();
          case OCCUPIED -> lost.incrementAndGet();
          case UNKNOWN -> throw new AssertionError("memory knows");
        }
      }
      return outcome;
    }
  }

  /** One process: opens, publishes in small runs, now and then dies and opens again. */
  private @Nullable Void produce(CommitFixture stream, String id, long seed) throws Exception {
    Random random = new Random(seed);
    long nextSeq = 0;
    while (nextSeq < BATCHES) {
      try {
        Committer committer = stream.committer();
        Committer.Opening opening = committer.open(id);
        nextSeq = opening.entry().nextSeq();
        while (nextSeq < BATCHES && random.nextInt(30) != 0) {
          int count = 1 + random.nextInt(4);
          var outcome =
              committer.commit(CommitFixture.publish(committer, opening.term(), nextSeq, count));
          nextSeq = opening.term().entryIn(outcome.head().manifest()).nextSeq();
          acknowledged.merge(id, nextSeq, Math::max);
        }
      } catch (ProducerFenced e) {
        fenced.incrementAndGet();
        // A process takes a moment to come back; at once, two would fence each other for ever.
        Thread.sleep(random.nextInt(3));
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("injected");
      }
    }
    return null;
  }

  private static @Nullable Void reclaim(CommitFixture stream, Semaphore created) throws Exception {
    while (!Thread.currentThread().isInterrupted()) {
      created.acquire(RECLAIMED_EVERY);
      long head = stream.log.heads().find(0).version();
      stream.reclaimTo(Math.max(0, head - 5));
    }
    return null;
  }

  private void assertStream(String description, CommitFixture stream) throws IOException {
    StepLocator locator = StepLocator.open(stream.log, 0);
    Map<String, List<Long>> seqs = seqsByProducer(description, locator);
    assertThat(seqs).as(description).hasSize(PRODUCERS);
    seqs.forEach(
        (producer, found) -> {
          assertThat(found)
              .as(description)
              .isEqualTo(LongStream.range(0, found.size()).boxed().toList());
          assertThat((long) found.size())
              .as(description)
              .isGreaterThanOrEqualTo(acknowledged.getOrDefault(producer, 0L));
        });
    long boundary = stream.log.boundaries().newest(Boundary.NONE).version();
    assertThat(boundary).as("%s: what was reclaimed", description).isPositive();
    for (long version = boundary + 1; version <= locator.header().version(); version++) {
      assertThat(stream.store.size(Names.manifest(version))).as(description).isPresent();
    }
  }

  /** What each producer has in the stream, in the order of the steps; epochs never fall. */
  private static Map<String, List<Long>> seqsByProducer(String description, StepLocator locator)
      throws IOException {
    Map<String, List<Long>> seqs = new TreeMap<>();
    Map<String, Long> epochs = new TreeMap<>();
    for (long step = 0; step < locator.header().nextStep(); step++) {
      Descriptor descriptor = locator.descriptor(step);
      seqs.computeIfAbsent(descriptor.producer(), p -> new ArrayList<>()).add(descriptor.seq());
      assertThat(epochs.getOrDefault(descriptor.producer(), 0L))
          .as(description)
          .isLessThanOrEqualTo(descriptor.epoch());
      epochs.put(descriptor.producer(), descriptor.epoch());
    }
    return seqs;
  }
}
