// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lakestream.bench.Progress;
import io.lakestream.bench.WorkFolder;
import io.lakestream.model.InvalidRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small run: requests and bytes are as promised, and nothing is left. */
final class CommitBenchTest {
  private static final int CYCLES = 1;
  private static final long ROOM = WorkFolder.FREE_BYTES_MIN + 1_000_000_000L;

  @TempDir Path place;

  @Test
  void aCommitCostsTheSameHoweverLongTheStreamIs() throws Exception {
    assumeThat(Files.getFileStore(place).getUsableSpace()).isGreaterThan(ROOM);
    HistoryLengths lengths = new HistoryLengths(List.of(300L, 140_000L));
    List<CommitFigure> figures = CommitBench.run(place, lengths, CYCLES, Progress.none());
    assertThat(figures).extracting(CommitFigure::steps).containsExactly(300L, 140_000L);
    for (CommitFigure figure : figures) {
      assertThat(figure.commits()).isEqualTo(CYCLES * 128);
      assertThat(figure.headBytes()).isBetween(1L, 128L * 1024);
      assertThat(figure.coldOpenRequests()).isEqualTo(6);
      assertThat(figure.staleVersions()).isEqualTo(128);
      assertThat(figure.staleOpenRequests()).isLessThanOrEqualTo(6 + 2 * 7);
      assertThat(figure.warmPollRequests()).isEqualTo(1);
    }
    double more = figures.get(1).commitBytes() - figures.get(0).commitBytes();
    assertThat(more).isLessThan(2 * 1024);
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void nothingIsLeftOfARunThatIsInterrupted() throws Exception {
    CountDownLatch writing = new CountDownLatch(2);
    Progress progress = stage -> writing.countDown();
    Thread run =
        new Thread(
            () ->
                assertThatExceptionOfType(Exception.class)
                    .isThrownBy(
                        () -> CommitBench.run(place, HistoryLengths.DEFAULT, CYCLES, progress)));
    run.start();
    // The second history takes many seconds to write.
    writing.await();
    run.interrupt();
    run.join();
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void lengthsThatMakeNoSenseAreRefused() {
    for (List<Long> lengths : List.of(List.<Long>of(), List.of(0L), List.of(1L, 1L << 40))) {
      assertThatExceptionOfType(InvalidRequest.class).isThrownBy(() -> new HistoryLengths(lengths));
    }
  }
}
