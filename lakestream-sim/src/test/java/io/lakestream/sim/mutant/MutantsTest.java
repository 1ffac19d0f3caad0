// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator finds every planted bug, within seeds that are known to do. */
final class MutantsTest {
  /** Seeds that find the bugs which few do; the others are found by one of the first. */
  private static final Map<String, Long> RARE =
      Map.of(
          "boundary read before the version", 568L,
          "trimmed without announcing", 143L,
          "an announced trim refuses nobody", 143L,
          "a report of an overtaken start counts", 231L,
          "a fork's pin is not granted", 130L);

  /** A change of the product moves what seeds find, so there is some way to go. */
  private static final long SEEDS = 1_000;

  static List<Mutant> mutants() {
    return Mutants.ALL;
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aPlantedBugIsFound(Mutant mutant) throws Exception {
    long first = RARE.getOrDefault(mutant.name(), 1L);
    MutantHunt.Catch found = MutantHunt.run(mutant, first, SEEDS);
    assertThat(found.isCaught()).as(mutant.name()).isTrue();
    assertThat(found.what()).startsWith(mutant.invariant() + ": ");
    assertThat(found.seed()).isEqualTo(first + found.seedsTried() - 1);
  }

  @Test
  void theProductWithoutABugIsNotSuspected() throws Exception {
    Mutant none =
        new Mutant("nothing", "none", "commit.Term", "public record Term(", "public record Term(");
    MutantHunt.Catch found = MutantHunt.run(none, 1, 20);
    assertThat(found.isCaught()).isFalse();
    assertThat(found.what()).isEmpty();
  }

  @Test
  void aBugWhoseSourceHasChangedIsReported() {
    Mutant gone = new Mutant("gone", "I1", "commit.Term", "what is not there", "");
    assertThatThrownBy(() -> MutantHunt.run(gone, 1, 1)).hasMessageContaining("does not apply");
    Mutant broken = new Mutant("broken", "I1", "commit.Term", "public record Term(", "public rec(");
    assertThatThrownBy(() -> MutantHunt.run(broken, 1, 1)).hasMessageContaining("does not compile");
  }
}
