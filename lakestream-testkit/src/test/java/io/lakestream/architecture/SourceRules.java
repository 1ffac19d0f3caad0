// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import static java.util.Objects.requireNonNull;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** What holds for every source of every module: sizes, names, and who prints. */
final class SourceRules {
  static final int METHOD_LINES = 60;
  static final int MAIN_FILE_LINES = 600;
  static final int TEST_FILE_LINES = 1000;
  static final int COLUMNS = 100;

  /** Names that say nothing about what a thing is. */
  private static final Set<String> EMPTY_NAMES =
      Set.of("util", "utils", "common", "impl", "helper", "manager", "base");

  private static final Pattern EMPTY_SUFFIX = Pattern.compile(".+(Impl|Utils?|Helper|Manager)");
  private static final Pattern IMPORT_OR_URL = Pattern.compile("^import |https?://");

  private SourceRules() {}

  /** Everything that is wrong with {@code sources}, each with its place and its remedy. */
  static List<String> violations(List<SourceFile> sources) {
    List<String> found = new ArrayList<>();
    Map<URI, SourceFile> byUri = new TreeMap<>();
    for (SourceFile source : sources) {
      checkLines(source, found);
      byUri.put(source.uri(), source);
    }
    List<Parsed> parsed = sources.stream().map(Parsed::new).toList();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    // Only parsed, never resolved: an incomplete tree or a missing library does not matter.
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, parsed);
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    try {
      for (CompilationUnitTree unit : task.parse()) {
        SourceFile source = requireNonNull(byUri.get(unit.getSourceFile().toUri()));
        new Walk(source, unit, positions, found).scan(unit, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot parse the sources", e);
    }
    return found;
  }

  private static void checkLines(SourceFile source, List<String> found) {
    List<String> lines = source.lines();
    int limit = source.isTest() ? TEST_FILE_LINES : MAIN_FILE_LINES;
    if (lines.size() > limit) {
      found.add(
          "%s has %d lines, more than %d: give one of its jobs a file of its own"
              .formatted(source.path(), lines.size(), limit));
    }
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int columns = line.codePointCount(0, line.length());
      if (columns > COLUMNS && !IMPORT_OR_URL.matcher(line).find()) {
        found.add(
            "%s:%d has %d columns, more than %d: break the line"
                .formatted(source.path(), i + 1, columns, COLUMNS));
      }
    }
  }

  private static boolean isEmptyName(String name) {
    return EMPTY_NAMES.contains(name.toLowerCase(Locale.ROOT))
        || EMPTY_SUFFIX.matcher(name).matches();
  }

  /** A source as the compiler takes it. */
  private static final class Parsed extends SimpleJavaFileObject {
    private final SourceFile source;

    Parsed(SourceFile source) {
      super(source.uri(), JavaFileObject.Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source.text();
    }
  }

  /** One pass over one file. */
  private static final class Walk extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final SourceFile source;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> found;
    private final boolean mayPrint;

    Walk(
        SourceFile source,
        CompilationUnitTree unit,
        SourcePositions positions,
        List<String> found) {
      this.source = source;
      this.unit = unit;
      this.positions = positions;
      this.found = found;
      this.mayPrint = source.module().equals("lakestream-cli");
    }

    @Override
    public @Nullable Void visitPackage(PackageTree tree, @Nullable Void unused) {
      for (String part : tree.getPackageName().toString().split("\\.", -1)) {
        checkName(tree, "package", part);
      }
      return super.visitPackage(tree, null);
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
      checkName(tree, "class", tree.getSimpleName().toString());
      for (Tree member : tree.getMembers()) {
        if (member instanceof BlockTree) {
          checkLength(member, "initializer");
        }
      }
      return super.visitClass(tree, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void unused) {
      checkLength(tree, "method " + tree.getName());
      return super.visitMethod(tree, null);
    }

    @Override
    public @Nullable Void visitImport(ImportTree tree, @Nullable Void unused) {
      String name = tree.getQualifiedIdentifier().toString();
      if (tree.isStatic() && name.matches("java\\.lang\\.System\\.(out|err|\\*)")) {
        reportPrinting(tree, "System.out");
      }
      return null;
    }

    @Override
    public @Nullable Void visitMemberSelect(MemberSelectTree tree, @Nullable Void unused) {
      if (tree.toString().matches("(java\\.lang\\.)?System\\.(out|err)")) {
        reportPrinting(tree, tree.toString());
      }
      checkPrintStackTrace(tree, tree.getIdentifier());
      return super.visitMemberSelect(tree, null);
    }

    @Override
    public @Nullable Void visitIdentifier(IdentifierTree tree, @Nullable Void unused) {
      checkPrintStackTrace(tree, tree.getName());
      return super.visitIdentifier(tree, null);
    }

    @Override
    public @Nullable Void visitMemberReference(MemberReferenceTree tree, @Nullable Void unused) {
      checkPrintStackTrace(tree, tree.getName());
      return super.visitMemberReference(tree, null);
    }

    private void checkPrintStackTrace(Tree tree, CharSequence name) {
      if (name.toString().equals("printStackTrace")) {
        reportPrinting(tree, "printStackTrace");
      }
    }

    private void reportPrinting(Tree tree, String what) {
      if (!mayPrint) {
        found.add(
            "%s uses %s: only lakestream-cli prints; return a value or throw"
                .formatted(place(tree), what));
      }
    }

    private void checkName(Tree tree, String kind, String name) {
      if (isEmptyName(name)) {
        found.add("%s: %s %s: name it after what it is".formatted(place(tree), kind, name));
      }
    }

    private void checkLength(Tree tree, String what) {
      long lines = line(positions.getEndPosition(unit, tree)) - startLine(tree) + 1;
      if (lines > METHOD_LINES) {
        found.add(
            "%s: %s has %d lines, more than %d: split it"
                .formatted(place(tree), what, lines, METHOD_LINES));
      }
    }

    private String place(Tree tree) {
      return source.path() + ":" + startLine(tree);
    }

    private long startLine(Tree tree) {
      return line(positions.getStartPosition(unit, tree));
    }

    private long line(long position) {
      return unit.getLineMap().getLineNumber(position);
    }
  }
}
