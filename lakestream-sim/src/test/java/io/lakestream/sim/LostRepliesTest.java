// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.RecordingStore;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store did what it was asked, and nobody says so. */
final class LostRepliesTest {
  private static final String MANIFESTS = "manifest/0";

  @Test
  void aClientThatSendsAgainAndFindsTheKeyTakenByItselfHasNotLost() throws Exception {
    Scene.play(
        1,
        scene -> {
          try (Namespace stream = scene.open(scene.director());
              Producer producer = scene.producer(stream, "p")) {
            scene.add(FaultRule.once(Operation.PUT_IF_ABSENT, MANIFESTS, new Fault.Resent()));
            scene.write(producer, 1);
            scene.add(FaultRule.once(Operation.PUT_IF_ABSENT, MANIFESTS, new Fault.LostReply()));
            scene.write(producer, 1);
            assertThat(producer.metrics().attempts()).isEqualTo(2);
            assertThat(producer.metrics().commits()).isEqualTo(2);
          }
          scene.assertHolds(Map.of("p", 2));
        });
  }

  /** Were own successes taken for conflicts, there would be more versions than commits. */
  @Test
  void aSteadyDripOfLostRepliesMakesNoFalseConflicts() throws Exception {
    int producers = 8;
    int commitsEach = 100;
    Scene.play(
        2,
        scene -> {
          for (Operation put : new Operation[] {Operation.PUT_IF_ABSENT, Operation.PUT}) {
            scene.add(FaultRule.often(put, "", 0.05, new Fault.LostReply()));
            scene.add(FaultRule.often(put, "", 0.05, new Fault.Resent()));
          }
          scene.together(producers, (name, process) -> scene.produce(process, name, commitsEach));
          scene.world().faults().heal();
          Map<String, Integer> expected = new TreeMap<>();
          for (int i = 0; i < producers; i++) {
            expected.put("p" + i, commitsEach);
          }
          scene.assertHolds(expected);
          int openedAndClosed = 2;
          assertThat(scene.headVersion())
              .isEqualTo((long) producers * (commitsEach + openedAndClosed));
        });
  }

  @Test
  void whatTookEffectUnknownIsKeptAndFoundByTheNextLife() throws Exception {
    Scene.play(
        3,
        scene -> {
          RecordingStore calls = new RecordingStore(scene.store());
          try (Namespace stream = scene.open(scene.director(), calls)) {
            Producer producer = scene.producer(stream, "p");
            scene.write(producer, 1);
            scene.add(
                FaultRule.often(Operation.PUT_IF_ABSENT, MANIFESTS, 1, new Fault.LostReply()));
            scene.add(FaultRule.often(Operation.READ, MANIFESTS, 1, new Fault.Throttled()));
            scene.writeOne(producer);
            assertThatExceptionOfType(CommitUnknown.class).isThrownBy(producer::flush);
            producer.close();
            scene.world().faults().heal();
            try (Producer again = scene.producer(stream, "p")) {
              assertThat(again.recoveredTgbs()).isEqualTo(2);
              assertThat(again.recoveredOffset()).contains("2");
              scene.write(again, 1);
            }
          }
          assertThat(calls.takeCalls()).noneMatch(call -> call.startsWith("delete"));
          assertEverythingReferencedExists(scene);
          scene.assertHolds(Map.of("p", 3));
        });
  }

  private static void assertEverythingReferencedExists(Scene scene) throws IOException {
    for (long step = 0; step < scene.world().history().size(); step++) {
      for (String key : scene.world().history().at(step).orElseThrow().objectKeys()) {
        assertThat(scene.store().size(key)).describedAs(key).isPresent();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void aCallerThatTriesAgainAfterEachFailureWritesNothingTwice(long seed) throws Exception {
    Scene.play(
        seed,
        scene -> {
          long late = TimeUnit.SECONDS.toNanos(20);
          scene.add(
              FaultRule.often(Operation.PUT_IF_ABSENT, MANIFESTS, 0.3, new Fault.LostReply()));
          scene.add(FaultRule.often(Operation.PUT_IF_ABSENT, MANIFESTS, 0.3, new Fault.Late(late)));
          scene.add(FaultRule.often(Operation.READ, MANIFESTS, 0.1, new Fault.Denied()));
          scene.add(FaultRule.often(Operation.READ, "boundary/", 0.1, new Fault.Denied()));
          int failures = 0;
          while (scene.stored("p") < 30) {
            try {
              scene.produce(scene.director(), "p", (int) (30 - scene.stored("p")));
            } catch (StoreUnavailable | CommitUnknown e) {
              failures++;
            }
          }
          assertThat(failures).isPositive();
          scene.world().faults().heal();
          scene.sleep(60);
          scene.assertHolds(Map.of("p", 30));
        });
  }
}
