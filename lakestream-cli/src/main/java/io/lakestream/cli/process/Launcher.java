// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to start this command once more, as a process of its own. */
public final class Launcher {
  /** Small and quick to start: there are many of them on few cores. */
  private static final List<String> JVM_OPTIONS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  private Launcher() {}

  /**
   * The command line that runs {@code lakestream} with these arguments, tied to this process.
   *
   * @param heapMegabytes how much memory it has for its objects
   */
  public static List<String> command(int heapMegabytes, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx%dm".formatted(heapMegabytes));
    command.addAll(JVM_OPTIONS);
    // What this JVM was allowed to do, such as to use native code, its children do too.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--"))
        .forEach(command::add);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Tether.class.getName());
    command.addAll(arguments);
    return command;
  }
}
