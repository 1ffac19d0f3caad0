// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class SimTest {
  private static final int USAGE = 2;

  @Test
  void aHuntSaysWhatItRan() {
    Cli hunt = Cli.run("sim", "--seeds", "3", "--from", "19").isDone();
    assertThat(hunt.out()).contains("3 seeds, 0 of them wrong", "1 run twice alike");
  }

  @Test
  void itsFieldsAreThoseOfThePage() throws IOException {
    JsonNode report = Cli.run("sim", "--seeds", "1", "--from", "20", "--json").isDone().json();
    assertThat(report.path("seeds").asLong()).isEqualTo(1);
    assertThat(report.path("violations").asLong()).isZero();
    assertThat(report.path("failing").isArray()).isTrue();
    CommandPageTest.assertNamed(report, "`sim`");
  }

  @Test
  void aScenarioIsChosenByItsName() {
    Cli.run("sim", "--scenario", "reclamation", "--seeds", "1").isDone();
    Cli hunt = Cli.run("sim", "--scenario", "stream", "--seeds", "1").isDone();
    assertThat(hunt.out()).contains("1 seed, 0 of them wrong");
    assertThat(hunt.err()).doesNotContain("warning");
    assertThat(Cli.run("sim", "--help").isDone().out()).contains("What to run: stream");
    Cli.run("sim", "--scenario", "rain")
        .isRefused(USAGE, "'rain' is none of the scenarios [stream, reclamation]");
  }

  @Test
  void noSeedsAreRefused() {
    Cli.run("sim", "--seeds", "0").isRefused(USAGE, "--seeds takes 1 to");
    Cli.run("sim", "--seeds", "2", "--from", "9223372036854775806")
        .isRefused(USAGE, "no 2 seeds are left from --from 9223372036854775806 on");
  }
}
