// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cli.process.Stage;
import io.lakestream.cli.soak.Strike.Action;
import io.lakestream.cli.soak.Strike.Kind;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A seed decides all strikes, and in ten minutes everything happens to everybody. */
class StrikePlanTest {
  private static SoakSettings settings(long seed, long millis) {
    return new SoakSettings(
        8, 2, new Mesh(2, 2), 2, millis, seed, Path.of("."), Stage.Ending.DELETE);
  }

  @Test
  void aSeedGivesTheSameStrikesAgainAndAnotherSeedOthers() {
    assertThat(StrikePlan.of(settings(7, 60_000))).isEqualTo(StrikePlan.of(settings(7, 60_000)));
    assertThat(StrikePlan.of(settings(7, 60_000))).isNotEqualTo(StrikePlan.of(settings(8, 60_000)));
  }

  @Test
  void aLongerSoakBeginsLikeAShorterOne() {
    List<Strike> shorter = StrikePlan.of(settings(7, 60_000));
    assertThat(StrikePlan.of(settings(7, 120_000))).startsWith(shorter.toArray(Strike[]::new));
  }

  @Test
  void strikesComeInOrderAboutOneASecond() {
    List<Strike> strikes = StrikePlan.of(settings(7, 600_000));
    assertThat(strikes).hasSizeBetween(500, 700).extracting(Strike::atMillis).isSorted();
    assertThat(strikes).allMatch(strike -> strike.atMillis() < 600_000);
  }

  @Test
  void everythingHappensToEverybody() {
    List<Strike> strikes = StrikePlan.of(settings(7, 600_000));
    for (Kind kind : Kind.values()) {
      int count = settings(7, 1_000).count(kind);
      for (int i = 0; i < count; i++) {
        int index = i;
        List<Strike> his =
            strikes.stream().filter(s -> s.kind() == kind && s.index() == index).toList();
        assertThat(his).extracting(Strike::action).contains(Action.KILL, Action.PAUSE);
      }
    }
    assertThat(strikes).allMatch(s -> s.index() < settings(7, 1_000).count(s.kind()));
    assertThat(strikes)
        .filteredOn(s -> s.action() == Action.REPLACE)
        .isNotEmpty()
        .allMatch(s -> s.kind() == Kind.PRODUCER);
  }

  @Test
  void onlyWhoIsStoppedSleeps() {
    assertThat(StrikePlan.of(settings(7, 600_000)))
        .allMatch(s -> (s.pauseMillis() == 0) == (s.action() == Action.KILL));
  }

  @Test
  void moreProcessesThanAMachineHoldsAreRefused() {
    Mesh large = new Mesh(16, 16);
    assertThatThrownBy(
            () -> new SoakSettings(8, 1, large, 1, 1_000, 1, Path.of("."), Stage.Ending.DELETE))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("265 processes");
  }
}
