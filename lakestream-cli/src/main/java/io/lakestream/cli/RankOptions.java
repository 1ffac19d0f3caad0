// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.Cell;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.Topology;
import io.lakestream.policy.Remap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which slice to read: named, or that of a rank, or that of this process by its environment. */
final class RankOptions {
  /** In which launchers say how many ranks there are, in the order of {@link Topology}. */
  private static final List<String> WORLD_SIZES =
      List.of("WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE");

  private static final Pattern SEVERAL = Pattern.compile("[2-9]|[1-9][0-9]+");

  /** The degrees that a world of several ranks needs: options, and the variables they replace. */
  private static final Map<String, String> DEGREES =
      new TreeMap<>(
          Map.of("--cp", "LAKESTREAM_CP", "--tp", "LAKESTREAM_TP", "--pp", "LAKESTREAM_PP"));

  @Option(
      names = "--slice",
      paramLabel = "D,C",
      converter = CellText.class,
      description = "Read the slice of replica D and context rank C.")
  @Nullable Cell slice;

  @Option(
      names = "--mesh",
      paramLabel = "DxC",
      converter = MeshText.class,
      description = "The job's mesh, with --slice and --remap (default: the stream's).")
  @Nullable Mesh jobMesh;

  @Option(
      names = "--remap",
      paramLabel = "HOW",
      converter = RemapText.class,
      defaultValue = "none",
      description = {
        "What the job gets if its mesh is not the stream's: keep-rank-batch (as much a rank, so"
            + " several steps of the stream make one or one makes several), keep-global-batch (each"
            + " step, its rows dealt anew), or none: an error (default: ${DEFAULT-VALUE})."
      })
  Remap remap = Remap.NONE;

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
      return new Topology(jobMesh == null ? mesh : jobMesh, slice);
    }
    Map<String, String> variables = variables(environment);
    requireDegrees(variables);
    Topology topology = Topology.ofEnvironment(variables);
    if (topology.mesh().cells() == 1 && mesh.cells() > 1 && remap == Remap.NONE) {
      throw new InvalidRequest(
          "the stream has a %s mesh, and this process is alone in its world: name a --slice, or a"
                  .formatted(mesh)
              + " --rank with --world-size, --cp, --tp and --pp, or set these in the environment");
    }
    return topology;
  }

  private void requireOneWay() {
    Map<String, String> others = others();
    if (slice != null && !others.isEmpty()) {
      throw new InvalidRequest(
          "--slice names the slice itself; leave out %s, or --slice"
              .formatted(String.join(", ", others.keySet())));
    }
    if (slice == null && jobMesh != null) {
      throw new InvalidRequest(
          "--mesh says what --slice is one of; name a --slice, or leave out --mesh");
    }
    if ((rank == null) != (worldSize == null)) {
      throw new InvalidRequest(
          "%s is given but %s is not; give both"
              .formatted(
                  rank == null ? "--world-size" : "--rank",
                  rank == null ? "--rank" : "--world-size"));
    }
    Arguments.requireAtLeast("--world-size", worldSize == null ? null : (long) worldSize, 1);
  }

  /** The options that say how to find the slice, as far as they are given. */
  private Map<String, String> others() {
    Map<String, String> others = new LinkedHashMap<>();
    put(others, "--rank", rank);
    put(others, "--world-size", worldSize);
    put(others, "--dp", data);
    put(others, "--cp", context);
    put(others, "--tp", tensor);
    put(others, "--pp", pipeline);
    put(others, "--rank-order", order);
    return others;
  }

  /** A degree is never guessed; here it is said how to give it on the command line too. */
  private static void requireDegrees(Map<String, String> variables) {
    Optional<String> size =
        WORLD_SIZES.stream().filter(variables::containsKey).findFirst().map(variables::get);
    List<String> missing =
        DEGREES.keySet().stream()
            .filter(option -> !variables.containsKey(DEGREES.get(option)))
            .toList();
    if (size.isPresent() && SEVERAL.matcher(size.get().strip()).matches() && !missing.isEmpty()) {
      throw new InvalidRequest(
          ("in a world of %s ranks it takes the degrees to find the slice of one: give %s (1 where"
                  + " the job does not use it), or set %s, or name the --slice")
              .formatted(
                  size.get(),
                  String.join(", ", missing),
                  missing.stream().map(DEGREES::get).collect(Collectors.joining(", "))));
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

  private static void put(Map<String, String> values, String name, @Nullable Object value) {
    if (value != null) {
      values.put(name, value.toString());
    }
  }
}
