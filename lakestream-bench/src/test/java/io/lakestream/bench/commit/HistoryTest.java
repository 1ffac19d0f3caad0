// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.commit.Committer;
import io.lakestream.commit.PublishChange;
import io.lakestream.commit.Term;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Manifest;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.manifest.StepLocator;
import io.lakestream.model.Schema;
import io.lakestream.policy.CommitSettings;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import io.lakestream.runtime.Environment;
import io.lakestream.store.MemoryStore;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A written history is what commits would have left. */
final class HistoryTest {
  private static final UUID NAMESPACE = new UUID(1, 2);

  private static ManifestLog written(long steps) throws IOException {
    MemoryStore store = new MemoryStore();
    History.write(store, NAMESPACE, steps);
    return new ManifestLog(store, NAMESPACE);
  }

  private static Manifest committed(long steps) throws IOException, InterruptedException {
    ManifestLog log = new ManifestLog(new MemoryStore(), NAMESPACE);
    Committer committer = new Committer(log, Environment.system(), CommitSettings.DEFAULT);
    Term term = committer.open(History.PRODUCER).term();
    for (long step = 0; step < steps; step++) {
      Descriptor next = History.descriptor(term.epoch(), step, step);
      var unused =
          committer.commit(
              new PublishChange(
                  committer.newCommitId(),
                  term,
                  List.of(next),
                  List.of(Schema.RAW),
                  SchemaChange.REFUSED));
    }
    return committer.head().manifest();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 128, 255, 256, 257, 300, 512, 513, 4_353, 5_000})
  void hasTheShapeThatRealCommitsLeave(long steps) throws Exception {
    Manifest written = written(steps).heads().find(0).manifest();
    Manifest committed = committed(steps);
    assertThat(written.version()).isEqualTo(committed.version());
    assertThat(written.header().nextStep()).isEqualTo(committed.header().nextStep());
    assertThat(written.header().tailFirst()).isEqualTo(committed.header().tailFirst());
    assertThat(written.tree().references())
        .extracting(reference -> reference.level() + " " + reference.index())
        .containsExactlyElementsOf(
            committed.tree().references().stream()
                .map(reference -> reference.level() + " " + reference.index())
                .toList());
  }

  @Test
  void everyStepIsFound() throws IOException {
    StepLocator locator = StepLocator.open(written(5_000), 0);
    for (long step = 0; step < 5_000; step++) {
      assertThat(locator.descriptor(step).seq()).isEqualTo(step);
    }
  }
}
