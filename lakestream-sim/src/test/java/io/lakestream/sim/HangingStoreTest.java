// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.model.Cursor;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import io.lakestream.testkit.fault.Request;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** One object is out of reach for long. */
final class HangingStoreTest {

  /** Nothing comes until the client gives up, as long as it is not mended. */
  private record Hanging(long nanos, AtomicBoolean isMended) implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      if (isMended.get()) {
        return request.make();
      }
      request.sleep(nanos);
      return request.unanswered("timed out");
    }
  }

  @Test
  void aStepThatHangsBeyondTheRetriesFailsItsCallAndTheNextCallGoesOnWithIt() throws Exception {
    int batches = 10;
    Scene.play(
        1,
        scene -> {
          scene.produce(scene.director(), "p", batches);
          String key = scene.world().history().at(4).orElseThrow().objectKeys().get(0);
          AtomicBoolean isMended = new AtomicBoolean();
          Fault hanging = new Hanging(TimeUnit.SECONDS.toNanos(10), isMended);
          scene.add(FaultRule.often(Operation.READ_RANGE, key, 1, hanging));
          try (Namespace stream = scene.open(scene.director());
              Consumer consumer =
                  stream.consumer(Scene.RANK, Cursor.start(stream.uuid()), Scene.TO_HEAD)) {
            for (long step = 0; step < batches; step++) {
              if (step == 4) {
                assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(consumer::next)
                    .withMessageContaining("step 4")
                    .withMessageContaining(key);
                isMended.set(true);
              }
              assertThat(consumer.next().orElseThrow().step()).isEqualTo(step);
            }
            assertThat(consumer.next()).isEmpty();
          }
        });
  }
}
