// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.format.Boundary;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Names;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.ProducerFenced;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.RandomFaults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Producers that race, lose replies, die, return and fence each other, while old versions are
 * deleted under them: afterwards every acknowledged batch is in exactly one step, and each
 * producer's batches are dense and in order.
 */
final class ConcurrentCommitTest {
  private static final int PRODUCERS = 6;
  private static final int PROCESSES_EACH = 2;
  private static final int BATCHES = 150;

  private final Map<String, Long> acknowledged = Collections.synchronizedMap(new TreeMap<>());

  @RepeatedTest(5)
  void everyAcknowledgedBatchIsInExactlyOneStep() throws Exception {
    long seed = new Random().nextLong();
    System.getLogger("test").log(System.Logger.Level.INFO, "seed {0}", Long.toString(seed));
    MemoryStore store = new MemoryStore();
    ExecutorService pool = Executors.newCachedThreadPool();
    List<Future<?>> work = new ArrayList<>();
    for (int i = 0; i < PRODUCERS * PROCESSES_EACH; i++) {
      String id = "p" + i % PRODUCERS;
      long own = seed + i;
      work.add(
          pool.submit(
              () -> {
                produce(new CommitFixture(new RandomFaults(store, own), own), id, own);
                return null;
              }));
    }
    Future<?> reclaimer =
        pool.submit(
            () -> {
              reclaim(new CommitFixture(store, seed));
              return null;
            });
    for (Future<?> future : work) {
      future.get();
    }
    reclaimer.cancel(true);
    pool.shutdown();
    assertStream("seed " + seed, new CommitFixture(store, seed));
  }

  /** One process: opens, publishes in small runs, now and then dies and opens again. */
  private void produce(CommitFixture stream, String id, long seed) throws Exception {
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
        Thread.sleep(random.nextInt(3));
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("injected");
      }
    }
  }

  private static void reclaim(CommitFixture stream) throws Exception {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.sleep(5);
      long head = stream.log.heads().find(0).version();
      stream.reclaimTo(Math.max(0, head - 5));
    }
  }

  private void assertStream(String description, CommitFixture stream) throws IOException {
    StepLocator locator = StepLocator.open(stream.log, 0);
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
    for (Map.Entry<String, List<Long>> producer : seqs.entrySet()) {
      List<Long> dense = new ArrayList<>();
      for (long seq = 0; seq < producer.getValue().size(); seq++) {
        dense.add(seq);
      }
      assertThat(producer.getValue()).as(description).isEqualTo(dense);
      assertThat((long) dense.size())
          .as(description)
          .isGreaterThanOrEqualTo(acknowledged.getOrDefault(producer.getKey(), 0L));
    }
    assertThat(seqs).as(description).hasSize(PRODUCERS);
    long boundary = stream.log.boundaries().newest(Boundary.NONE).version();
    for (long version = boundary + 1; version <= locator.header().version(); version++) {
      assertThat(stream.store.size(Names.manifest(version))).as(description).isPresent();
    }
  }
}
