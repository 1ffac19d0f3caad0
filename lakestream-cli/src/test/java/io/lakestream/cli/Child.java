// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command in a process of its own. Ended when it is closed. */
final class Child implements AutoCloseable {
  /** Beyond what the slowest machine takes; reached only if something hangs. */
  private static final long PATIENCE_SECONDS = 60;

  /** Below the folder of the test: where the process puts temporary files. */
  static final String TEMP = "temp";

  private final Process process;
  private final Path err;

  private Child(Process process, Path err) {
    this.process = process;
    this.err = err;
  }

  /** Starts a command; its standard output is read through {@link #process}. */
  static Child start(Path folder, Object... args) throws IOException {
    return start(folder, List.of(), List.of(), args);
  }

  /** The same with changes of its environment, as of {@code env}, and with options for its JVM. */
  static Child start(Path folder, List<String> environment, List<String> jvmOptions, Object... args)
      throws IOException {
    Path err = Files.createTempFile(folder, "child", ".err");
    Path temp = Files.createDirectories(folder.resolve(TEMP));
    List<String> command = new ArrayList<>();
    // A build in the background ignores SIGINT, and children inherit that.
    command.addAll(List.of("env", "--default-signal=INT", "TERM=xterm"));
    command.addAll(environment);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1"));
    command.addAll(jvmOptions);
    command.add("-Djava.io.tmpdir=" + temp);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    for (Object arg : args) {
      command.add(arg.toString());
    }
    return new Child(new ProcessBuilder(command).redirectError(err.toFile()).start(), err);
  }

  Process process() {
    return process;
  }

  /** Presses Ctrl-C, which a process that has just ended does not hear. */
  Child interrupt() throws IOException, InterruptedException {
    return signal("INT");
  }

  /** Sends it a signal, which a process that has just ended does not hear. */
  Child signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      status();
    }
    return this;
  }

  /** Waits for the end; the exit status. */
  int status() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("ends").isTrue();
    return process.exitValue();
  }

  String err() throws IOException {
    return Files.readString(err, UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
