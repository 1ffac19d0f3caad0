// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.cli.bench.BenchCommand;
import io.lakestream.cli.demo.DemoCommand;
import io.lakestream.cli.soak.SoakCommand;
import io.lakestream.model.InvalidRequest;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;

/** The {@code lakestream} command. */
public final class Main {
  private Main() {}

  /** Runs the command of this process and ends it with the command's exit status. */
  public static void main(String[] args) {
    // Else numbers have the digits of the user's language, which no script and no reader expects.
    Locale.setDefault(Locale.ROOT);
    // Not System.out, which forgets what went wrong; and the same encoding in every locale.
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    Stop stop = new Stop();
    Console console =
        new Console(
            new FileOutputStream(FileDescriptor.out),
            err,
            System.getenv(),
            stop,
            new SystemScreen(System.getenv()));
    Signals.listen(console);
    int status = run(console, args);
    System.exit(stop.isRequested() ? stop.status() : status);
  }

  /** Runs a command; everything that differs from process to process is in {@code console}. */
  public static int run(Console console, String... args) {
    CommandLine commandLine = commandLine(console);
    Failures failures = new Failures(console);
    commandLine.setParameterExceptionHandler(failures::usage);
    commandLine.setExecutionExceptionHandler(failures::execution);
    commandLine.setExecutionStrategy(new Execution(console));
    try {
      Arguments.requireDecoded(args);
      int status = commandLine.execute(args);
      console.flush();
      return status;
    } catch (InvalidRequest | Console.OutputFailed | Error e) {
      return failures.report(e, Verbosity.of(commandLine));
    }
  }

  private static List<CommandGroup> groups(Console console) {
    return List.of(
        new CommandGroup("Try it out", new DemoCommand(console)),
        new CommandGroup(
            "Set up and look after",
            new InitCommand(console),
            new ForkCommand(console),
            new SealCommand(console),
            new SkipCommand(console),
            new RetireCommand(console),
            new DoctorCommand(console),
            new FsckCommand(console)),
        new CommandGroup("Write and read", new WriteCommand(console), new ReadCommand(console)),
        new CommandGroup(
            "Look at a stream",
            new InfoCommand(console),
            new LogCommand(console),
            new StepsCommand(console),
            new TailCommand(console),
            new CatCommand(console),
            new ProducersCommand(console),
            new SkipsCommand(console)),
        new CommandGroup(
            "Keep and reclaim",
            new PinCommand(console),
            new UnpinCommand(console),
            new PinsCommand(console),
            new GroupCommand(),
            new WatermarksCommand(console),
            new ReclaimCommand(console)),
        new CommandGroup(
            "Prove and measure",
            new SimCommand(console),
            new SoakCommand(console),
            new BenchCommand()));
  }

  private static CommandLine commandLine(Console console) {
    List<CommandGroup> groups = groups(console);
    CommandLine commandLine = new CommandLine(new RootCommand());
    groups.forEach(group -> group.commands().forEach(commandLine::addSubcommand));
    BenchCommand.complete(commandLine, console);
    GroupCommand.complete(commandLine, console);
    SoakCommand.complete(commandLine, console);
    commandLine.getCommandSpec().usageMessage().footer(RootCommand.FOOTER);
    commandLine
        .getHelpSectionMap()
        .put(
            CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
            help -> CommandGroup.render(groups, help));
    commandLine.registerConverter(Path.class, new PathText());
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setUsageHelpAutoWidth(true);
    commandLine.setOut(console.writer());
    commandLine.setErr(console.errorWriter());
    return commandLine;
  }
}
