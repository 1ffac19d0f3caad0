// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.StoreUnavailable;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is undecided is asked again; what is refused is not. */
class RequestsTest {
  private static int repeat(ArrayDeque<LakestreamException> failures) throws Exception {
    return Requests.repeat(
        () -> {
          if (!failures.isEmpty()) {
            throw failures.remove();
          }
          return 7;
        });
  }

  @Test
  void whatIsUndecidedIsAskedAgain() throws Exception {
    List<LakestreamException> undecided =
        List.of(
            new CommitContended("others were faster"),
            new CommitUnknown("no reply"),
            new StoreUnavailable("no answer", new java.io.IOException("503")));
    assertThat(repeat(new ArrayDeque<>(undecided))).isEqualTo(7);
  }

  @Test
  void whatIsNeverDecidedFailsInTheEnd() {
    LakestreamException failure = new CommitUnknown("no reply");
    var failures = new ArrayDeque<>(Collections.nCopies(Requests.TRIES_MAX + 5, failure));
    assertThatExceptionOfType(CommitUnknown.class).isThrownBy(() -> repeat(failures));
    assertThat(failures).hasSize(5);
  }

  @Test
  void whatIsRefusedIsNotAskedAgain() {
    LakestreamException refusal = new InvalidRequest("no such step");
    var failures = new ArrayDeque<>(Collections.nCopies(2, refusal));
    assertThatExceptionOfType(InvalidRequest.class).isThrownBy(() -> repeat(failures));
    assertThat(failures).hasSize(1);
  }
}
