// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A small source tree, written and compiled into {@code folder} for one test. */
record Fixture(Path folder) {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Shared by all fixtures, since opening the JDK's classes costs more than compiling one. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  /** Adds a source; {@code path} as in {@code io/lakestream/store/Disk.java}. */
  Fixture with(String path, String text) throws IOException {
    Path file = folder.resolve("src").resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return this;
  }

  /** Where {@link #compile} puts the class files. */
  Path classes() {
    return folder.resolve("classes");
  }

  JavaClasses compile() throws IOException {
    StringWriter complaints = new StringWriter();
    List<Path> sources = new ArrayList<>();
    try (var files = Files.walk(folder.resolve("src"))) {
      files.filter(Files::isRegularFile).forEach(sources::add);
    }
    boolean isCompiled =
        COMPILER
            .getTask(
                complaints,
                FILES,
                null,
                List.of("-proc:none", "-d", classes().toString()),
                null,
                FILES.getJavaFileObjectsFromPaths(sources))
            .call();
    assertThat(isCompiled).as(complaints.toString()).isTrue();
    return new ClassFileImporter().importPath(classes());
  }
}
