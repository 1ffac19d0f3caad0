// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.GroupNames.Kind;
import io.lakestream.format.GroupNames.Report;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Watermark;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class GroupNamesTest {

  @Test
  void aReportIsReadFromItsName() {
    Report report = new Report(63, 7, new Watermark(4_700, 4_711));
    String key = GroupNames.report("train", 2, report);
    assertThat(key)
        .isEqualTo(
            "group/train/00000000000000000002/rank-0000000063/00000000000000000007-4700-4711");
    assertThat(GroupNames.parse(key))
        .contains(new GroupNames.Parsed("train", 2, Kind.REPORT, Optional.of(report)));
  }

  @Test
  void whatASiblingSaysIsReadFromItsName() {
    String group = "Läufe/7 = ü";
    assertThat(GroupNames.parse(GroupNames.generation(group, 9)))
        .contains(new GroupNames.Parsed(group, 9, Kind.GENERATION, Optional.empty()));
    assertThat(GroupNames.parse(GroupNames.voided(group, 9)).orElseThrow().kind())
        .isEqualTo(Kind.VOID);
    assertThat(GroupNames.parse(GroupNames.removed(group, 9)).orElseThrow().kind())
        .isEqualTo(Kind.REMOVED);
  }

  @Test
  void whatWeDidNotWriteIsNotOurs() {
    for (String key :
        new String[] {
          "group/Train/00000000000000000002/generation",
          "group/tr=61in/00000000000000000002/generation",
          "group/tr=ffin/00000000000000000002/generation",
          "group/train=/00000000000000000002/generation",
          "group/train/2/generation",
          "group/train/00000000000000000002/generation/x",
          "group/train/99999999999999999999/generation",
          "group/train/00000000000000000002/rank-0000000063/00000000000000000007-4700-4699",
          "group/train/00000000000000000002/rank-9999999999/00000000000000000007-1-1",
          "group/train/00000000000000000002/rank-0000000063/00000000000000000007-4700"
        }) {
      assertThat(GroupNames.parse(key)).as(key).isEmpty();
    }
  }

  @Test
  void aGroupHasANameThatFitsAKey() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> GroupNames.group(""))
        .withMessageContaining("a group name has 1 to 64 bytes");
  }
}
