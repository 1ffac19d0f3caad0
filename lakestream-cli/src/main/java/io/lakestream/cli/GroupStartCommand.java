// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.model.Generation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lakestream group start}. */
@Command(
    name = "start",
    header = "Record that a job starts, or starts again.",
    customSynopsis = "lakestream group start URI GROUP --ranks=N --at=STEP [OPTIONS]",
    description = {
      "For the launcher, before any rank starts. Prints the start, such as train@3, which the ranks"
          + " report under. Reports of earlier starts count no more; a rank that has not reported"
          + " counts as standing at STEP."
    },
    sortOptions = false)
final class GroupStartCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(
      index = "1",
      paramLabel = "GROUP",
      description = "The job's name over all its starts.")
  String group;

  @Option(
      names = "--ranks",
      required = true,
      paramLabel = "N",
      description = "How many ranks will report.")
  long ranks;

  @Option(
      names = "--at",
      required = true,
      paramLabel = "STEP",
      description = "The step at which the checkpoint resumes that the job starts from.")
  long startStep;

  @Mixin JsonOption json;

  GroupStartCommand(Console console) {
    this.console = console;
  }

  private record Started(
      String token, String group, long start, int worldSize, long startStep, long version) {
    static Started of(Generation generation) {
      return new Started(
          StartToken.of(generation).toString(),
          generation.group(),
          generation.number(),
          generation.worldSize(),
          generation.startStep(),
          generation.version());
    }
  }

  @Override
  public Integer call() {
    Arguments.requireAtLeast("--ranks", ranks, 1);
    Arguments.requireAtMost("--ranks", ranks, Generation.RANKS_MAX);
    Arguments.requireAtLeast("--at", startStep, 0);
    StartToken.requireName(group);
    try (Namespace stream = namespace.open()) {
      Started started =
          Started.of(stream.lifecycle().start(group, Math.toIntExact(ranks), startStep));
      json.print(console, started, () -> console.print(started.token));
    }
    return 0;
  }
}
