// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cli.CommandFailed;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nothing may be reclaimed that somebody may resume from. */
class WatchTest {
  @Test
  void aStreamMayBeginWhereTheLowestPromiseIs() {
    assertThatCode(() -> Watch.requireKept(32, Map.of("job-0", 32L, "pin x", 64L)))
        .doesNotThrowAnyException();
  }

  @Test
  void aStepThatWasReclaimedUnderAPromiseIsNamedWithItsHolder() {
    assertThatThrownBy(() -> Watch.requireKept(33, Map.of("job-0", 64L, "job-1", 32L)))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining("begins at step 33, but job-1 resumes from step 32");
  }
}
