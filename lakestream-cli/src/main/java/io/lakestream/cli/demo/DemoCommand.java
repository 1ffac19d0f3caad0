// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.cli.Console;
import io.lakestream.cli.JsonOption;
import io.lakestream.cli.MeshText;
import io.lakestream.cli.NamespaceArgument;
import io.lakestream.cli.PackingOptions;
import io.lakestream.cli.PolicyName;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.Mesh;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream demo}. */
@Command(
    name = "demo",
    header = "Stream real text through processes, kill some, check every token.",
    customSynopsis = "lakestream demo [OPTIONS]",
    defaultValueProvider = DemoCommand.Defaults.class,
    sortOptions = false,
    description = {
      "Starts producers, each with its share of the text, and one rank for each slice of the mesh,"
          + " all processes of their own. Producers and ranks by turns get SIGKILL at random"
          + " moments and are started again. Then every slice of every step is read and compared"
          + " with what the ranks read and with a new encoding of the text.",
      "",
      "'lakestream demo --kills 50' kills fifty processes in one run."
    })
public final class DemoCommand implements Callable<Integer> {
  /** Small batches: the sample makes some hundred steps of them. */
  static final class Defaults implements CommandLine.IDefaultValueProvider {
    @Override
    public @Nullable String defaultValue(CommandLine.Model.ArgSpec argument) {
      return argument instanceof CommandLine.Model.OptionSpec option
              && option.longestName().equals("--rows")
          ? "2"
          : null;
    }
  }

  private final Console console;

  @Option(
      names = "--from",
      paramLabel = "PATH",
      description = "Text of yours: a file, folder, zip or JSONL. Else sources of Guava.")
  @Nullable Path from;

  @Option(
      names = "--at",
      paramLabel = "URI",
      description = "Where to create the namespace, which then stays. Else in a temporary folder.")
  @Nullable String place;

  @Option(
      names = "--producers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Processes that write (default: ${DEFAULT-VALUE}).")
  int producers;

  @Option(
      names = "--mesh",
      paramLabel = "DxC",
      defaultValue = "2x2",
      converter = MeshText.class,
      description = "Ranks that read (default: ${DEFAULT-VALUE}).")
  Mesh mesh;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "2",
      description = "Processes to kill, producers and ranks by turns (default: ${DEFAULT-VALUE}).")
  int kills;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Decides who is killed and when. Else random.")
  @Nullable Long seed;

  @Mixin PackingOptions packing;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "dac",
      description = "When producers commit: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  PolicyName policy;

  @Option(names = "--keep", description = "Keep the temporary folder.")
  boolean isKept;

  @Mixin JsonOption json;

  /** The command, with the console that it prints to. */
  public DemoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Demo demo = new Demo(settings(), console.status());
    DemoReport report = console.stop().tidying(demo::play);
    json.printLines(
        console, List.of(report), () -> new ReportText(report).lines().forEach(console::print));
    return report.passed() ? 0 : 1;
  }

  private DemoSettings settings() {
    if (place != null) {
      NamespaceArgument.requireLasting(place);
    }
    return new DemoSettings(
        (from == null ? SampleText.find() : from).toAbsolutePath(),
        Optional.ofNullable(place),
        producers,
        kills,
        seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed,
        packing.vocabulary(),
        packing.settings(mesh),
        policy,
        isKept ? Stage.Ending.KEEP : Stage.Ending.DELETE);
  }
}
