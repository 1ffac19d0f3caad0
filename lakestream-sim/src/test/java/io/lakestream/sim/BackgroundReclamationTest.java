// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.BackgroundReclamation;
import io.lakestream.Lifecycle;
import io.lakestream.Namespace;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Pin;
import io.lakestream.policy.ReclaimSettings;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.RecordingStore;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import io.lakestream.testkit.simulation.SimulatedProcess;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process that does something else reclaims too, and is not disturbed by it. */
final class BackgroundReclamationTest {
  private static final ReclaimSettings SETTINGS = ReclaimSettings.DEFAULT.keeping(5);
  private static final long MINUTE_MILLIS = 60_000;

  /** Longer than a pause and a pass. */
  private static final long SOON_SECONDS = 120;

  private static final FaultRule OUTAGE =
      new FaultRule(
          EnumSet.allOf(Operation.class), "", 1, Integer.MAX_VALUE, new Fault.Throttled());

  private static long firstStep(Namespace stream) {
    return stream.view().summary().firstStep();
  }

  private static void move(Lifecycle lifecycle, long step) {
    Pin pin = lifecycle.pin(step, "");
    lifecycle.pinned().stream()
        .filter(older -> !older.name().equals(pin.name()))
        .forEach(older -> lifecycle.unpin(older.name()));
  }

  @Test
  void itFollowsThePromisesUntilItIsClosed() throws Exception {
    Scene.play(
        1,
        scene -> {
          scene.produce(scene.director(), "p", 60);
          try (Namespace stream = scene.open(scene.director())) {
            move(stream.lifecycle(), 40);
            BackgroundReclamation background =
                stream.lifecycle().reclaimInBackground(SETTINGS, MINUTE_MILLIS);
            assertThat(firstStep(stream)).isZero();
            scene.sleep(SOON_SECONDS);
            assertThat(firstStep(stream)).isEqualTo(40);
            move(stream.lifecycle(), 50);
            scene.sleep(SOON_SECONDS);
            assertThat(firstStep(stream)).isEqualTo(50);
            background.close();
            background.close();
            move(stream.lifecycle(), 60);
            scene.sleep(10 * SOON_SECONDS);
            assertThat(firstStep(stream)).isEqualTo(50);
          }
        });
  }

  @Test
  void aStoreThatIsDownIsAskedLessOftenAndReclaimedOnceItIsBack() throws Exception {
    Scene.play(
        2,
        scene -> {
          scene.produce(scene.director(), "p", 30);
          RecordingStore recording = new RecordingStore(scene.store());
          try (Namespace stream = scene.open(scene.director(), recording);
              Namespace other = scene.open(scene.director())) {
            move(stream.lifecycle(), 20);
            var earlier = recording.takeCalls();
            assertThat(earlier).isNotEmpty();
            BackgroundReclamation background =
                stream.lifecycle().reclaimInBackground(SETTINGS, MINUTE_MILLIS);
            scene.add(OUTAGE);
            scene.sleep(TimeUnit.HOURS.toSeconds(4));
            int calls = recording.takeCalls().size();
            assertThat(calls)
                .as("some 15 passes in 4 hours, each with retries")
                .isBetween(100, 500);
            scene.world().faults().heal();
            scene.sleep(TimeUnit.MINUTES.toSeconds(25));
            assertThat(firstStep(other)).isEqualTo(20);
            move(other.lifecycle(), 25);
            scene.sleep(SOON_SECONDS);
            assertThat(firstStep(other)).as("the pause is short again").isEqualTo(25);
            background.close();
          }
        });
  }

  @Test
  void severalRunAtOnceAndOneOfThemIsKilled() throws Exception {
    Scene.play(
        3,
        scene -> {
          for (int i = 0; i < 3; i++) {
            SimulatedProcess process = scene.world().process("r" + i);
            var unused =
                scene.start(
                    process,
                    (name, own) -> {
                      Namespace stream = scene.open(own);
                      var background = stream.lifecycle().reclaimInBackground(SETTINGS, 500);
                      own.environment().clock().sleep(TimeUnit.HOURS.toNanos(1));
                      background.close();
                    });
            if (i == 0) {
              scene.sleep(5);
              process.kill();
            }
          }
          try (Namespace stream = scene.open(scene.director())) {
            for (int i = 0; i < 10; i++) {
              scene.produce(scene.director(), "p", 10);
              move(stream.lifecycle(), 10L * i);
              scene.sleep(5);
              assertThat(firstStep(stream)).isEqualTo(10L * i);
            }
          }
        });
  }

  @Test
  void closingCutsOffAPassThatHangs() throws Exception {
    Scene.play(
        4,
        scene -> {
          scene.produce(scene.director(), "p", 3);
          try (Namespace stream = scene.open(scene.director())) {
            Fault hours = new Fault.Slow(TimeUnit.HOURS.toNanos(9));
            BackgroundReclamation background =
                stream.lifecycle().reclaimInBackground(SETTINGS, 1_000);
            scene.add(new FaultRule(EnumSet.allOf(Operation.class), "", 1, 1, hours));
            scene.sleep(60);
            long before = scene.director().environment().clock().nanoTime();
            background.close();
            long seconds =
                TimeUnit.NANOSECONDS.toSeconds(
                    scene.director().environment().clock().nanoTime() - before);
            assertThat(seconds).isLessThan(60);
          }
        });
  }

  @Test
  void thereIsTimeBetweenPasses() throws Exception {
    Scene.play(
        5,
        scene -> {
          try (Namespace stream = scene.open(scene.director())) {
            assertThatThrownBy(() -> stream.lifecycle().reclaimInBackground(SETTINGS, 0))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("not 0");
          }
        });
  }
}
