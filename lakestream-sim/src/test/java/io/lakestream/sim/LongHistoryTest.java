// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.testkit.ForwardingStore;
import java.io.IOException;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** A commit does not cost more because many were before it. */
final class LongHistoryTest {
  private static final int COMMITS = 3_000;

  /** Over so many commits a tail fills and empties several times. */
  private static final int WINDOW = 512;

  @Test
  void theHeadIsBoundedAndTheBytesOfACommitDoNotGrow() throws Exception {
    Scene.play(
        1,
        scene -> {
          MeasuredStore store = new MeasuredStore(scene.store());
          long[] bytesAt = new long[COMMITS + 1];
          try (Namespace stream = scene.open(scene.director(), store);
              Producer producer = scene.producer(stream, "p")) {
            for (int i = 0; i < COMMITS; i++) {
              bytesAt[i] = store.metadataBytes;
              scene.write(producer, 1);
            }
          }
          bytesAt[COMMITS] = store.metadataBytes;
          long early = bytesAt[1_000 + WINDOW] - bytesAt[1_000];
          long late = bytesAt[COMMITS] - bytesAt[COMMITS - WINDOW];
          assertThat(late).isCloseTo(early, Percentage.withPercentage(20));
          assertThat(store.manifestBytesMax).isLessThanOrEqualTo(128 * 1024);
          scene.assertHolds(Map.of("p", COMMITS));
        });
  }

  /** Counts what is written apart from data. */
  private static final class MeasuredStore extends ForwardingStore {
    private long metadataBytes;
    private long manifestBytesMax;

    MeasuredStore(ObjectStore store) {
      super(store);
    }

    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      count(key, body);
      return super.putIfAbsent(key, body);
    }

    @Override
    public void put(String key, Body body) throws IOException {
      count(key, body);
      super.put(key, body);
    }

    private void count(String key, Body body) {
      if (!key.startsWith("data/")) {
        metadataBytes += body.length();
      }
      if (key.startsWith("manifest/")) {
        manifestBytesMax = Math.max(manifestBytesMax, body.length());
      }
    }
  }
}
