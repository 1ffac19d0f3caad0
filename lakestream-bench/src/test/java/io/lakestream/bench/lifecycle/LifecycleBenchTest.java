// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.bench.Progress;
import io.lakestream.bench.WorkFolder;
import io.lakestream.model.StepInfo;
import io.lakestream.policy.ReclaimSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small runs: what is counted is right, what is lost is seen, and nothing is left. */
final class LifecycleBenchTest {
  private static final long STEPS = 120;
  private static final int TGB_BYTES = 2_000;
  private static final long HISTORY_STEPS = 5_000;
  private static final long ROOM = WorkFolder.FREE_BYTES_MIN + 1_000_000_000L;

  @TempDir Path place;

  @BeforeEach
  void assumeRoom() throws IOException {
    assumeThat(Files.getFileStore(place).getUsableSpace()).isGreaterThan(ROOM);
  }

  private LifecycleSettings settings(int keptCheckpoints) {
    return new LifecycleSettings(place, STEPS, TGB_BYTES, keptCheckpoints, HISTORY_STEPS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void whatIsStoredFollowsTheCheckpointsAndNothingLiveGoes(int keptCheckpoints) throws Exception {
    LifecycleReport report = LifecycleBench.run(settings(keptCheckpoints), Progress.none());
    LifecycleFigure figure = report.figure();
    assertThat(figure.liveBytesDeleted()).isZero();
    assertThat(figure.withoutReclaimPeakBytes())
        .isCloseTo(STEPS * figure.stepBytes(), within(STEPS));
    assertThat(figure.withReclaimPeakBytes()).isLessThan(figure.withoutReclaimPeakBytes());
    assertThat(report.withoutReclaim()).hasSize((int) STEPS / 10);
    assertThat(report.withReclaim()).hasSize((int) STEPS / 10);
    Reading last = report.withReclaim().get((int) STEPS / 10 - 1);
    long needed = 10L * (keptCheckpoints - 1);
    assertThat(last.bytesAfter()).isGreaterThanOrEqualTo((needed - 1) * figure.stepBytes());
    if (keptCheckpoints == 1) {
      assertThat(last.bytesAfter()).isZero();
    }
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void aResumingTakesTenRequestsAtMostWhereverTheStepIs() throws Exception {
    Resuming resuming = Resuming.build(place.resolve("history"), 1_000 * 128);
    assertThat(resuming.measure())
        .hasSize(12)
        .allSatisfy(
            figure -> {
              assertThat(figure.requests()).isBetween(7L, 10L);
              assertThat(figure.bytes()).isLessThan(1 << 20);
            });
  }

  @Test
  void aDeletionOfLiveDataIsSeen() throws Exception {
    LifecycleReport report =
        LifecycleBench.run(settings(1), LifecycleBenchTest::reclaimTooMuch, Progress.none());
    assertThat(report.figure().liveBytesDeleted())
        .isGreaterThanOrEqualTo(report.figure().stepBytes());
  }

  private static void reclaimTooMuch(Namespace stream) throws IOException, InterruptedException {
    var unused = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT);
    StreamView view = stream.view();
    long first = view.summary().firstStep();
    if (first == 50) {
      StepInfo newest = view.step(view.summary().nextStep() - 1);
      URI uri = URI.create(stream.place().substring(0, stream.place().indexOf('?')));
      Files.delete(Path.of(uri).resolve(newest.objects().get(0)));
    }
  }

  @Test
  void aTrimThatBreaksAPinIsSeen() throws Exception {
    Pass pass =
        stream -> {
          stream.lifecycle().pinned().forEach(pin -> stream.lifecycle().unpin(pin.name()));
          var unused = stream.lifecycle().reclaim(ReclaimSettings.DEFAULT);
        };
    LifecycleReport report = LifecycleBench.run(settings(3), pass, Progress.none());
    assertThat(report.figure().liveBytesDeleted()).isPositive();
  }

  @Test
  void aFailureEndsTheRunAndNothingIsLeft() {
    Pass pass =
        stream -> {
          throw new IOException("the disk is full");
        };
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> LifecycleBench.run(settings(1), pass, Progress.none()));
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void aThreadThatFailsEndsTheOthers() throws Exception {
    try (Crew crew = new Crew(2)) {
      crew.start(
          "failing",
          () -> {
            throw new IOException("no luck");
          });
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(crew::meet)
          .withMessageContaining("no luck");
    }
  }
}
