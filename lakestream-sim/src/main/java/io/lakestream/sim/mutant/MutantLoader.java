// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Loads the product with a bug in it: the classes that make it are compiled here from their
 * sources, with all others as they are, and apart from the product that runs this.
 */
final class MutantLoader extends ClassLoader {
  private static final String OURS = "io.lakestream.";
  private static final String SOURCES = "/lakestream-core-sources/";

  private final Map<String, byte[]> compiled;

  private MutantLoader(Map<String, byte[]> compiled) {
    super(MutantLoader.class.getClassLoader());
    this.compiled = compiled;
  }

  /**
   * The product with a bug.
   *
   * @throws IllegalStateException if the bug cannot be planted, or there is no compiler
   */
  static MutantLoader of(Mutant mutant) throws IOException {
    List<JavaFileObject> units = new ArrayList<>();
    for (Mutant.Edit edit : mutant.edits()) {
      units.add(new SourceText(edit.className(), mutant.plantIn(edit, source(edit))));
    }
    return new MutantLoader(compile(mutant, units));
  }

  private static String source(Mutant.Edit edit) throws IOException {
    try (InputStream in = MutantLoader.class.getResourceAsStream(SOURCES + edit.sourcePath())) {
      if (in == null) {
        throw new IllegalStateException("no source of " + edit.type());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Map<String, byte[]> compile(Mutant mutant, List<JavaFileObject> units)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException("this Java has no compiler: use a JDK");
    }
    DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
    try (CompiledClasses classes =
        new CompiledClasses(compiler.getStandardFileManager(messages, null, null))) {
      List<String> options = List.of("-proc:none", "-nowarn", "--release", "17");
      boolean isCompiled = compiler.getTask(null, classes, messages, options, null, units).call();
      if (!isCompiled) {
        throw new IllegalStateException(
            "mutant '%s' does not compile: %s".formatted(mutant.name(), messages.getDiagnostics()));
      }
      return classes.bytes();
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = compiled.get(name);
    if (bytes == null) {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        bytes = in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private static final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(String className, String text) {
      super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class ClassBytes extends SimpleJavaFileObject {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ClassBytes(String className) {
      super(URI.create("bytes:///" + className.replace('.', '/') + ".class"), Kind.CLASS);
    }

    @Override
    public OutputStream openOutputStream() {
      return bytes;
    }
  }

  private static final class CompiledClasses extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ClassBytes> classes = new HashMap<>();

    CompiledClasses(JavaFileManager manager) {
      super(manager);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, javax.tools.FileObject at) {
      ClassBytes bytes = new ClassBytes(className);
      classes.put(className, bytes);
      return bytes;
    }

    Map<String, byte[]> bytes() {
      Map<String, byte[]> all = new HashMap<>();
      classes.forEach((name, bytes) -> all.put(name, bytes.bytes.toByteArray()));
      return all;
    }
  }
}
