// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.format.Names;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.testkit.ForwardingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many producers want the next version at once. */
final class ContentionTest {
  /** Conditional puts for each commit, in the mean of all producers; twice what 64 need. */
  private static final double ATTEMPTS_MEAN_MAX = 8;

  /** The same for whoever has the worst luck, again about twice. */
  private static final double ATTEMPTS_MAX = 16;

  @ParameterizedTest
  @ValueSource(ints = {32, 64})
  void everybodyGetsThroughWithFewAttemptsForEachCommit(int producers) throws Exception {
    int commitsEach = 4;
    Scene.play(
        producers,
        scene -> {
          long[] attempts = new long[producers];
          scene.together(
              producers,
              (name, process) -> {
                try (Namespace stream = scene.open(process);
                    Producer producer = scene.producer(stream, name)) {
                  scene.write(producer, commitsEach);
                  attempts[Integer.parseInt(name.substring(1))] = producer.metrics().attempts();
                }
              });
          scene.assertHolds(each(producers, commitsEach));
          long all = 0;
          long most = 0;
          for (long one : attempts) {
            all += one;
            most = Math.max(most, one);
          }
          assertThat((double) all / (producers * commitsEach)).isLessThan(ATTEMPTS_MEAN_MAX);
          assertThat((double) most / commitsEach).isLessThan(ATTEMPTS_MAX);
        });
  }

  /** Nobody may conclude from such an answer that somebody else has won. */
  @Test
  void ofRacersWhoAreAllToldThatNothingIsDecidedEachWinsOneVersion() throws Exception {
    int racers = 4;
    Scene.play(
        1,
        scene -> {
          int[] ready = new int[1];
          List<String> undecided = new ArrayList<>();
          scene.together(
              racers,
              (name, process) -> {
                UndecidedOnce store =
                    new UndecidedOnce(
                        scene.store(process),
                        key -> {
                          undecided.add(key);
                          scene.await(() -> undecided.size() == racers);
                        });
                try (Namespace stream = scene.open(process, store);
                    Producer producer = scene.producer(stream, name)) {
                  scene.write(producer, 1);
                  ready[0]++;
                  scene.await(() -> ready[0] == racers);
                  store.isArmed = true;
                  scene.write(producer, 1);
                }
              });
          assertThat(undecided)
              .hasSize(racers)
              .allMatch(key -> key.equals(Names.manifest(2 * racers + 1)));
          scene.assertHolds(each(racers, 2));
          int openedTwiceWrittenAndClosed = 4;
          assertThat(scene.headVersion()).isEqualTo((long) openedTwiceWrittenAndClosed * racers);
        });
  }

  private static Map<String, Integer> each(int producers, int batches) {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < producers; i++) {
      counts.put("p" + i, batches);
    }
    return counts;
  }

  /** Does nothing about one put, once all racers have sent theirs, and does not say so. */
  private static final class UndecidedOnce extends ForwardingStore {
    private final Meeting meeting;
    private boolean isArmed;

    /** Where the racers wait for each other. */
    @FunctionalInterface
    interface Meeting {
      void meet(String key) throws InterruptedException;
    }

    UndecidedOnce(ObjectStore store, Meeting meeting) {
      super(store);
      this.meeting = meeting;
    }

    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      if (!isArmed) {
        return super.putIfAbsent(key, body);
      }
      isArmed = false;
      try {
        meeting.meet(key);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return PutOutcome.UNKNOWN;
    }
  }
}
