// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator finds every planted bug, within seeds that are known to do. */
final class MutantsTest {
  private static final long FIRST = 1;
  private static final long SEEDS = 200;

  static List<Mutant> mutants() {
    return Mutants.ALL;
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aPlantedBugIsFound(Mutant mutant) throws Exception {
    MutantHunt.Catch found = MutantHunt.run(mutant, FIRST, SEEDS);
    assertThat(found.isCaught()).as(mutant.name()).isTrue();
    assertThat(found.what()).startsWith(mutant.invariant() + ": ");
    assertThat(found.seed()).isEqualTo(FIRST + found.seedsTried() - 1);
  }

  @Test
  void theProductWithoutABugIsNotSuspected() throws Exception {
    Mutant none =
        new Mutant("nothing", "none", "commit.Term", "public record Term(", "public record Term(");
    MutantHunt.Catch found = MutantHunt.run(none, FIRST, 20);
    assertThat(found.isCaught()).isFalse();
    assertThat(found.what()).isEmpty();
  }

  @Test
  void aBugWhoseSourceHasChangedIsReported() {
    Mutant gone = new Mutant("gone", "I1", "commit.Term", "what is not there", "");
    assertThatThrownBy(() -> MutantHunt.run(gone, FIRST, 1)).hasMessageContaining("does not apply");
    Mutant broken = new Mutant("broken", "I1", "commit.Term", "public record Term(", "public rec(");
    assertThatThrownBy(() -> MutantHunt.run(broken, FIRST, 1))
        .hasMessageContaining("does not compile");
  }
}
