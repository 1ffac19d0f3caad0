// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A rank's place in its job: the job's mesh and the cell whose slice the rank reads. Ranks that
 * differ only in tensor or pipeline coordinates have the same cell (paper §4.1).
 *
 * @param mesh data- and context-parallel degree of the job
 * @param cell the rank's cell
 */
public record Topology(Mesh mesh, Cell cell) {

  /** Environment variables in which launchers say a process's world rank and the world's size. */
  private static final List<Launcher> LAUNCHERS =
      List.of(
          new Launcher("RANK", "WORLD_SIZE"),
          new Launcher("SLURM_PROCID", "SLURM_NTASKS"),
          new Launcher("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"));

  private record Launcher(String rank, String size) {}

  public Topology {
    if (!mesh.contains(cell)) {
      throw new InvalidRequest("cell %s lies outside the %s mesh".formatted(cell, mesh));
    }
  }

  /**
   * The place of a world rank.
   *
   * @throws InvalidRequest if the rank is outside the world or the degrees do not divide it
   */
  public static Topology ofRank(int rank, int worldSize, Degrees degrees, RankOrder order) {
    if (worldSize < 1) {
      throw new InvalidRequest("a world has 1 rank or more, not %d".formatted(worldSize));
    }
    if (rank < 0 || rank >= worldSize) {
      throw new InvalidRequest(
          "rank %d lies outside a world of %d ranks, 0 to %d"
              .formatted(rank, worldSize, worldSize - 1));
    }
    int data = degrees.dataIn(worldSize);
    int c = rank / degrees.tensor() % degrees.context();
    int rest = rank / degrees.tensor() / degrees.context();
    int d = order == RankOrder.TP_CP_EP_DP_PP ? rest % data : rest / degrees.pipeline();
    return new Topology(new Mesh(data, degrees.context()), new Cell(d, c));
  }

  /**
   * The place of this process as its environment says: the world rank and size as torchrun, SLURM
   * or Open MPI set them, the degrees in {@code LAKESTREAM_DP}, {@code _CP}, {@code _TP} and {@code
   * _PP}, the order in {@code LAKESTREAM_RANK_ORDER} (by default {@code tp-cp-ep-dp-pp}). Without
   * any of them the process is alone in its world.
   *
   * @throws InvalidRequest if the world has several ranks and a degree is unknown, which is never
   *     guessed, or if the variables contradict each other
   */
  public static Topology ofEnvironment(Map<String, String> variables) {
    Optional<Launcher> launcher =
        LAUNCHERS.stream()
            .filter(l -> variables.containsKey(l.rank()) || variables.containsKey(l.size()))
            .findFirst();
    int worldSize = 1;
    int rank = 0;
    if (launcher.isPresent()) {
      rank = required(variables, launcher.get().rank(), launcher.get().size());
      worldSize = required(variables, launcher.get().size(), launcher.get().rank());
    }
    String order =
        variables.getOrDefault("LAKESTREAM_RANK_ORDER", RankOrder.TP_CP_EP_DP_PP.toString());
    return ofRank(rank, worldSize, degrees(variables, worldSize), RankOrder.parse(order));
  }

  private static Degrees degrees(Map<String, String> variables, int worldSize) {
    return new Degrees(
        number(variables, "LAKESTREAM_DP"),
        degree(variables, "LAKESTREAM_CP", worldSize),
        degree(variables, "LAKESTREAM_TP", worldSize),
        degree(variables, "LAKESTREAM_PP", worldSize));
  }

  private static int degree(Map<String, String> variables, String name, int worldSize) {
    OptionalInt value = number(variables, name);
    if (value.isEmpty() && worldSize > 1) {
      throw new InvalidRequest(
          ("the world has %d ranks, but %s is not set: set LAKESTREAM_CP, LAKESTREAM_TP and"
                  + " LAKESTREAM_PP (1 where the job does not use it), or name the slice")
              .formatted(worldSize, name));
    }
    return value.orElse(1);
  }

  private static int required(Map<String, String> variables, String name, String other) {
    return number(variables, name)
        .orElseThrow(
            () ->
                new InvalidRequest(
                    "%s is set but %s is not: a launcher sets both".formatted(other, name)));
  }

  private static OptionalInt number(Map<String, String> variables, String name) {
    String value = variables.get(name);
    if (value == null) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(value.strip()));
    } catch (NumberFormatException e) {
      throw new InvalidRequest("%s is '%s', which is no whole number".formatted(name, value));
    }
  }
}
