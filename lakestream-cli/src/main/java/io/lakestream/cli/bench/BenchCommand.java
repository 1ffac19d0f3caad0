// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.bench;

import io.lakestream.cli.Console;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lakestream bench}: the commands that measure. */
@Command(
    name = "bench",
    header = "Measure: reading and writing, commits, reclamation.",
    customSynopsis = "lakestream bench COMMAND [OPTIONS]",
    description = {
      "Each command works in a new folder, which is gone when it ends, and keeps 10 GB of the disk"
          + " free. docs/benchmarks.md says what is compared with what."
    })
public final class BenchCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "name what to measure");
  }

  /** Gives the {@code bench} of a command line its commands, which print to {@code console}. */
  public static void complete(CommandLine root, Console console) {
    CommandLine bench = Objects.requireNonNull(root.getSubcommands().get("bench"));
    bench.addSubcommand(new BenchIoCommand(console));
    bench.addSubcommand(new BenchCommitCommand(console));
    bench.addSubcommand(new BenchLifecycleCommand(console));
  }
}
