// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Cell;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.Topology;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which slice to read: named, or that of a rank, or that of this process by its environment. */
final class RankOptions {
  @Option(
      names = "--slice",
      paramLabel = "D,C",
      converter = CellText.class,
      description = "Read the slice of replica D and context rank C.")
  @Nullable Cell slice;

  @Option(
      names = "--rank",
      paramLabel = "R",
      description = {
        "Read as the R-th rank of the world. Without --slice and --rank the environment of"
            + " torchrun, SLURM or Open MPI decides, with LAKESTREAM_DP, _CP, _TP, _PP and"
            + " _RANK_ORDER."
      })
  @Nullable Integer rank;

  @Option(names = "--world-size", paramLabel = "N", description = "How many ranks there are.")
  @Nullable Integer worldSize;

  @Option(names = "--dp", paramLabel = "N", description = "Data-parallel degree, if given.")
  @Nullable Integer data;

  @Option(names = "--cp", paramLabel = "N", description = "Context-parallel degree.")
  @Nullable Integer context;

  @Option(names = "--tp", paramLabel = "N", description = "Tensor-parallel degree.")
  @Nullable Integer tensor;

  @Option(names = "--pp", paramLabel = "N", description = "Pipeline-parallel degree.")
  @Nullable Integer pipeline;

  @Option(
      names = "--rank-order",
      paramLabel = "ORDER",
      description = "tp-cp-ep-dp-pp (default) or tp-cp-ep-pp-dp.")
  @Nullable String order;

  /** The place of this process; options win over the environment. */
  Topology topology(Mesh mesh, Map<String, String> environment) {
    requireOneWay();
    if (slice != null) {
      return new Topology(mesh, slice);
    }
    Topology topology = Topology.ofEnvironment(variables(environment));
    if (topology.mesh().cells() == 1 && mesh.cells() > 1) {
      throw new InvalidRequest(
          "the stream has a %s mesh, and this process is alone in its world: name a --slice, or a"
                  .formatted(mesh)
              + " --rank with --world-size, --cp, --tp and --pp, or set these in the environment");
    }
    return topology;
  }

  private void requireOneWay() {
    if (slice != null && (rank != null || worldSize != null)) {
      throw new InvalidRequest("--slice names the slice, so --rank and --world-size have no use");
    }
    if ((rank == null) != (worldSize == null)) {
      throw new InvalidRequest(
          "%s is given but %s is not; give both"
              .formatted(
                  rank == null ? "--world-size" : "--rank",
                  rank == null ? "--rank" : "--world-size"));
    }
  }

  private Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> variables = new TreeMap<>(environment);
    put(variables, "RANK", rank);
    put(variables, "WORLD_SIZE", worldSize);
    put(variables, "LAKESTREAM_DP", data);
    put(variables, "LAKESTREAM_CP", context);
    put(variables, "LAKESTREAM_TP", tensor);
    put(variables, "LAKESTREAM_PP", pipeline);
    put(variables, "LAKESTREAM_RANK_ORDER", order);
    return variables;
  }

  private static void put(Map<String, String> variables, String name, @Nullable Object value) {
    if (value != null) {
      variables.put(name, value.toString());
    }
  }
}
