// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.cli.Console;
import io.lakestream.cli.DurationText;
import io.lakestream.cli.JsonOption;
import io.lakestream.cli.MeshText;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.Mesh;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream soak}. */
@Command(
    name = "soak",
    header = "Kill and stop real processes for long, then check everything.",
    customSynopsis = "lakestream soak [OPTIONS]",
    sortOptions = false,
    description = {
      "Starts producers, training jobs and reclaimers as processes on one namespace in a folder."
          + " At random moments one is killed (SIGKILL), or stopped (SIGSTOP) until others have"
          + " passed it and the versions that it knew are deleted, and then continued. In the end"
          + " all are let finish, and what they told is checked: every batch is in the stream once"
          + " and in order, every rank saw every step once and in order, and nothing was reclaimed"
          + " that a checkpoint could need.",
      "",
      "Leaves 10 GB of the disk free. Exit status 1 if something is wrong; the folder then stays."
    })
public final class SoakCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = DurationText.class,
      description =
          "How long processes are killed and stopped, such as 90s, 10m or 2h, the most (default:"
              + " ${DEFAULT-VALUE}).")
  Duration time = Duration.ZERO;

  @Option(
      names = "--producers",
      paramLabel = "N",
      defaultValue = "8",
      description = "Processes that write (default: ${DEFAULT-VALUE}).")
  int producers;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "2",
      description = "Training jobs that read (default: ${DEFAULT-VALUE}).")
  int jobs;

  @Option(
      names = "--mesh",
      paramLabel = "DxC",
      defaultValue = "2x2",
      converter = MeshText.class,
      description = "Ranks of each job, a process each (default: ${DEFAULT-VALUE}).")
  Mesh mesh = new Mesh(1, 1);

  @Option(
      names = "--reclaimers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Processes that reclaim (default: ${DEFAULT-VALUE}).")
  int reclaimers;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Decides who is struck, when and how. Else random.")
  @Nullable Long seed;

  @Option(
      names = "--at",
      paramLabel = "FOLDER",
      description =
          "A folder on the file system to try. Else the system's folder for temporary files.")
  @Nullable Path folder;

  @Option(names = "--keep", description = "Keep what was written.")
  boolean isKept;

  @Mixin JsonOption json;

  /** The command, with the console that it prints to. */
  public SoakCommand(Console console) {
    this.console = console;
  }

  /** Gives the {@code soak} of a command line the commands of its children. */
  public static void complete(CommandLine root, Console console) {
    CommandLine soak = Objects.requireNonNull(root.getSubcommands().get("soak"));
    soak.addSubcommand(new ProduceCommand(console));
    soak.addSubcommand(new RankCommand(console));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Soak soak = new Soak(settings(), console.status(), console.stop());
    SoakReport report = console.stop().tidying(soak::run);
    json.printLines(console, List.of(report), () -> new SoakText(report).print(console));
    return report.passed() ? 0 : 1;
  }

  private SoakSettings settings() {
    Path place = folder == null ? Path.of(System.getProperty("java.io.tmpdir")) : folder;
    return new SoakSettings(
        producers,
        jobs,
        mesh,
        reclaimers,
        time.toMillis(),
        seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed,
        place.toAbsolutePath(),
        isKept ? Stage.Ending.KEEP : Stage.Ending.DELETE);
  }
}
