// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The language of the user changes nothing, and names arrive as they are or not at all. */
final class LocaleTest {
  private static final int USAGE = 2;
  private static final List<String> PLAIN = List.of("LC_ALL=C");

  @TempDir Path folder;

  @Test
  void numbersHaveTheSameDigitsInEveryLanguage() throws Exception {
    String stream = Streams.sealed(folder.resolve("s"), 1234);
    List<String> arabic = List.of("-Duser.language=ar", "-Duser.country=EG");
    try (Child info = Child.start(folder, List.of(), arabic, "info", stream)) {
      String out = new String(info.process().getInputStream().readAllBytes(), UTF_8);
      assertThat(info.status()).isZero();
      assertThat(out).isEqualTo(Cli.run("info", stream).isDone().out()).contains("0 to 1233");
    }
    try (Child cat = Child.start(folder, List.of(), arabic, "cat", stream, "4321")) {
      assertThat(cat.status()).isEqualTo(USAGE);
      assertThat(cat.err()).contains("4321").isEqualTo(Cli.run("cat", stream, "4321").err());
    }
  }

  @Test
  void anArgumentThatTheLocaleCannotReadIsRefused() throws Exception {
    // Else this JVM could not hand them on.
    assumeThat(System.getProperty("sun.jnu.encoding")).isEqualTo("UTF-8");
    for (String argument : List.of("--producer=é", "--from=é")) {
      try (Child write = Child.start(folder, PLAIN, List.of(), "write", "x", argument)) {
        assertThat(write.status()).isEqualTo(USAGE);
        assertThat(write.err())
            .startsWith("lakestream: the argument '" + argument.substring(0, 6))
            .contains("LC_ALL=C.UTF-8")
            .doesNotContain("java");
      }
    }
    Cli.run("retire", "x", "half a pair \ud834").isRefused(USAGE, "half a pair", "UTF-8");
    Cli.run("retire", "x", "\ufffd").isRefused(USAGE, "UTF-8");
    Cli.run("retire", folder.resolve("x"), "whole \ud834\udd1e").isRefused(1, "no namespace");
  }

  @Test
  void aPathThatIsNoneIsNamedWithoutNamesOfClasses() {
    String[] write = {"write", "x", "--producer", "p", "--from"};
    Cli bad = Cli.run(write[0], write[1], write[2], write[3], write[4], "a\0b");
    assertThat(bad.isRefused(USAGE, "--from", "is no path").err()).doesNotContain("java.");
    Cli.run("read", "x", "--slice", "0,0", "--state", "").isRefused(USAGE, "--state", "is empty");
    Cli.run("bench", "io", "--at", "").isRefused(USAGE, "--at", "is empty");
  }

  /** A source tree that is built, with a JDK that tells its locale instead of running anything. */
  private Path launcher() throws IOException {
    Path tree = Files.createDirectories(folder.resolve("tree"));
    Path jdk = folder.resolve("jdk");
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    for (String tool : List.of("java", "javac")) {
      Path file = Files.writeString(jdk.resolve("bin/" + tool), "#!/bin/sh\necho \"[$LC_ALL]\"\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    for (String old : List.of(".mvn", "pom.xml", "lakestream-cli/pom.xml")) {
      Files.createDirectories(tree.resolve(old));
    }
    Files.createDirectories(tree.resolve("lakestream-cli/target/lib"));
    Files.createFile(tree.resolve("lakestream-cli/target/lakestream-cli.jar"));
    Files.createDirectories(tree.resolve("target/launcher"));
    Files.createFile(tree.resolve("target/launcher/built"));
    Path launcher = tree.resolve("lakestream");
    Files.copy(Path.of("../lakestream"), launcher, StandardCopyOption.COPY_ATTRIBUTES);
    return launcher;
  }

  private String localeOfTheJvm(Path launcher, String locale) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(launcher.toString());
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().put("LC_ALL", locale);
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    return out.strip();
  }

  @Test
  void theLauncherReplacesALocaleOfPlainAscii() throws Exception {
    Path launcher = launcher();
    assertThat(localeOfTheJvm(launcher, "C")).isEqualTo("[C.UTF-8]");
    assertThat(localeOfTheJvm(launcher, "POSIX")).isEqualTo("[C.UTF-8]");
    assertThat(localeOfTheJvm(launcher, "C.utf8")).isEqualTo("[C.utf8]");
  }
}
