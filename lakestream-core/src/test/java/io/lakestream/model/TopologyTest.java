// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank's cell follows from its world rank, the degrees and the order, and is never guessed. */
class TopologyTest {
  private static final Degrees TWO_EACH = new Degrees(OptionalInt.empty(), 2, 2, 2);
  private static final RankOrder DEFAULT = RankOrder.parse("tp-cp-ep-dp-pp");
  private static final RankOrder PIPELINE_FIRST = RankOrder.parse("tp-cp-ep-pp-dp");

  private static Cell cell(int rank, RankOrder order) {
    return Topology.ofRank(rank, 16, TWO_EACH, order).cell();
  }

  private static Map<String, String> environment(String... pairs) {
    Map<String, String> variables = new TreeMap<>();
    for (String pair : pairs) {
      variables.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return variables;
  }

  private static Topology of(String... pairs) {
    return Topology.ofEnvironment(environment(pairs));
  }

  private static void assertRefused(String message, String... pairs) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> of(pairs))
        .withMessageContaining(message);
  }

  @Test
  void sixteenRanksOfTwoEachAreDealtAsMegatronDealsThem() {
    assertThat(cell(5, DEFAULT)).isEqualTo(new Cell(1, 0));
    assertThat(cell(5, PIPELINE_FIRST)).isEqualTo(new Cell(0, 0));
    assertThat(cell(10, DEFAULT)).isEqualTo(new Cell(0, 1));
    assertThat(cell(10, PIPELINE_FIRST)).isEqualTo(new Cell(1, 1));
    List<String> cells = new ArrayList<>();
    for (int rank = 0; rank < 16; rank++) {
      cells.add("" + cell(rank, DEFAULT).d() + cell(rank, DEFAULT).c());
    }
    List<String> eight = List.of("00", "00", "01", "01", "10", "10", "11", "11");
    assertThat(cells.subList(0, 8)).isEqualTo(eight);
    assertThat(cells.subList(8, 16)).isEqualTo(eight);
  }

  @Test
  void everyCellHasAsManyRanksAsTensorTimesPipeline() {
    Degrees degrees = new Degrees(OptionalInt.of(3), 4, 2, 5);
    for (RankOrder order : RankOrder.values()) {
      Map<String, Integer> ranks = new TreeMap<>();
      for (int rank = 0; rank < 120; rank++) {
        Topology topology = Topology.ofRank(rank, 120, degrees, order);
        assertThat(topology.mesh()).isEqualTo(new Mesh(3, 4));
        ranks.merge(topology.cell().toString(), 1, Integer::sum);
      }
      assertThat(ranks).hasSize(12);
      assertThat(ranks.values()).containsOnly(10);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void aWorldWithoutRanksIsRefused(int worldSize) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Topology.ofRank(0, worldSize, TWO_EACH, DEFAULT))
        .withMessageContaining("a world has 1 rank or more, not %d", worldSize);
  }

  @ParameterizedTest
  @CsvSource({"-1,16", "16,16"})
  void aRankOutsideItsWorldIsRefused(int rank, int worldSize) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Topology.ofRank(rank, worldSize, TWO_EACH, DEFAULT))
        .withMessageContaining("rank %d lies outside a world of %d ranks", rank, worldSize);
  }

  @Test
  void degreesThatDoNotMakeTheWorldAreRefused() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Topology.ofRank(0, 12, TWO_EACH, DEFAULT))
        .withMessageContaining("a world of 12 ranks cannot be divided by cp 2 × tp 2 × pp 2");
    Degrees three = new Degrees(OptionalInt.of(3), 2, 2, 2);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Topology.ofRank(0, 16, three, DEFAULT))
        .withMessageContaining("dp 3 × cp 2 × tp 2 × pp 2 are 24 ranks, but the world has 16");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new Degrees(OptionalInt.empty(), 1, 0, 1))
        .withMessageContaining("dp ?, cp 1, tp 0, pp 1");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new Degrees(OptionalInt.of(0), 1, 1, 1));
    Degrees huge = new Degrees(OptionalInt.empty(), 1 << 30, 1 << 30, 1 << 30);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Topology.ofRank(0, 16, huge, DEFAULT));
  }

  @Test
  void aCellOutsideItsMeshIsRefused() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new Topology(new Mesh(2, 1), new Cell(0, 1)))
        .withMessageContaining("cell (0,1) lies outside the 2x1 mesh");
  }

  @Test
  void aProcessWithoutALauncherIsAlone() {
    assertThat(of()).isEqualTo(new Topology(new Mesh(1, 1), new Cell(0, 0)));
    assertThat(of("RANK=0", "WORLD_SIZE=1")).isEqualTo(of());
  }

  @Test
  void theDegreesComeFromTheEnvironment() {
    Topology topology =
        of("RANK=5", "WORLD_SIZE=16", "LAKESTREAM_CP=2", "LAKESTREAM_TP=2", "LAKESTREAM_PP= 2 ");
    assertThat(topology).isEqualTo(new Topology(new Mesh(2, 2), new Cell(1, 0)));
    Topology other =
        of(
            "RANK=5",
            "WORLD_SIZE=16",
            "LAKESTREAM_CP=2",
            "LAKESTREAM_TP=2",
            "LAKESTREAM_PP=2",
            "LAKESTREAM_DP=2",
            "LAKESTREAM_RANK_ORDER=TP-CP-EP-PP-DP");
    assertThat(other.cell()).isEqualTo(new Cell(0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "RANK,WORLD_SIZE",
    "SLURM_PROCID,SLURM_NTASKS",
    "OMPI_COMM_WORLD_RANK,OMPI_COMM_WORLD_SIZE"
  })
  void everyLauncherIsUnderstood(String rank, String size) {
    String[] degrees = {"LAKESTREAM_CP=1", "LAKESTREAM_TP=1", "LAKESTREAM_PP=1"};
    Topology topology = of(rank + "=2", size + "=4", degrees[0], degrees[1], degrees[2]);
    assertThat(topology).isEqualTo(new Topology(new Mesh(4, 1), new Cell(2, 0)));
    assertRefused("%s is set but %s is not".formatted(rank, size), rank + "=0");
    assertRefused("%s is set but %s is not".formatted(size, rank), size + "=1");
    assertRefused(rank + " is 'x', which is no whole number", rank + "=x", size + "=1");
  }

  @Test
  void torchrunInsideSlurmIsAskedFirst() {
    Topology topology =
        of(
            "SLURM_PROCID=0",
            "SLURM_NTASKS=1",
            "RANK=3",
            "WORLD_SIZE=4",
            "LAKESTREAM_CP=1",
            "LAKESTREAM_TP=1",
            "LAKESTREAM_PP=1");
    assertThat(topology.cell()).isEqualTo(new Cell(3, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LAKESTREAM_CP", "LAKESTREAM_TP", "LAKESTREAM_PP"})
  void anUnknownDegreeInALargerWorldIsNeverGuessed(String missing) {
    Map<String, String> variables =
        environment(
            "RANK=0", "WORLD_SIZE=2", "LAKESTREAM_CP=1", "LAKESTREAM_TP=1", "LAKESTREAM_PP=1");
    variables.remove(missing);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Topology.ofEnvironment(variables))
        .withMessageContaining("the world has 2 ranks, but " + missing + " is not set");
  }

  @Test
  void aRankOrderHasAName() {
    assertThat(RankOrder.TP_CP_EP_DP_PP).hasToString("tp-cp-ep-dp-pp");
    assertThat(RankOrder.parse(" tp-cp-ep-pp-dp ")).isEqualTo(RankOrder.TP_CP_EP_PP_DP);
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> RankOrder.parse("dp-tp"))
        .withMessageContaining("there are [tp-cp-ep-dp-pp, tp-cp-ep-pp-dp]");
  }

  @Test
  void aMeshIsWrittenWithACross() {
    assertThat(Mesh.parse(" 8x2 ")).isEqualTo(new Mesh(8, 2));
    assertThat(Mesh.parse("3X1")).hasToString("3x1");
    assertThat(Mesh.parse("65536x1").cells()).isEqualTo(65_536);
    for (String text : List.of("8", "8x", "x2", "8x2x1", "-1x2", "9999999999x1", "")) {
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> Mesh.parse(text))
          .withMessageContaining("a mesh is written DxC");
    }
    for (String text : List.of("0x1", "1x0", "65536x2", "999999999x999999999")) {
      assertThatExceptionOfType(InvalidRequest.class).isThrownBy(() -> Mesh.parse(text));
    }
  }

  @Test
  void cellsAreNumberedReplicaByReplica() {
    Mesh mesh = new Mesh(3, 2);
    for (int i = 0; i < mesh.cells(); i++) {
      assertThat(mesh.index(mesh.cell(i))).isEqualTo(i);
    }
    assertThat(mesh.cell(3)).isEqualTo(new Cell(1, 1));
    assertThat(mesh.contains(new Cell(3, 0))).isFalse();
    assertThat(mesh.contains(new Cell(2, 2))).isFalse();
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> mesh.index(new Cell(0, 2)))
        .withMessageContaining("slice (0,2) lies outside the 3x2 mesh");
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> new Cell(-1, 0))
        .withMessageContaining("(-1,0)");
  }
}
