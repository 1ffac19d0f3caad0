// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of {@link ArchitectureTest} refuses what it is there to refuse, and nothing else. */
class RulesCanFailTest {
  @TempDir Path folder;
  private Fixture fixture;

  @BeforeEach
  void makeFixture() {
    fixture = new Fixture(folder);
  }

  @ParameterizedTest
  @CsvSource({
    "model, store",
    "model, api",
    "store, format",
    "runtime, store",
    "policy, commit",
    "format, store",
    "format, manifest",
    "manifest, commit",
    "commit, produce",
    "commit, api",
    "produce, consume",
    "consume, api",
  })
  void aPackageMayNotUseOneAboveOrBesideIt(String from, String to) throws IOException {
    use(from, to);
    assertThat(PackageOrder.violations(fixture.compile()))
        .isNotEmpty()
        .allSatisfy(violation -> assertThat(violation).startsWith(from + " may not use " + to));
  }

  @ParameterizedTest
  @CsvSource({
    "api, produce",
    "api, model",
    "produce, format",
    "consume, model",
    "commit, manifest",
    "manifest, format",
    "manifest, runtime",
    "format, model",
    "store, model",
    "store, runtime",
    "runtime, model",
    "policy, model",
    "commit, policy",
  })
  void aPackageMayUseOneBelowIt(String from, String to) throws IOException {
    use(from, to);
    assertThat(PackageOrder.violations(fixture.compile())).isEmpty();
  }

  @Test
  void aPackageWithoutAPlaceIsRefused() throws IOException {
    fixture.with("io/lakestream/cache/Lru.java", "package io.lakestream.cache; class Lru {}");
    assertThat(PackageOrder.violations(fixture.compile()))
        .containsExactly(
            "io.lakestream.cache.Lru: package cache has no place in the order of packages");
  }

  @Test
  void modelUsesNoLibrary() throws IOException {
    fixture.with(
        "io/lakestream/model/Step.java",
        "package io.lakestream.model; class Step { javax.sql.DataSource library; }");
    assertThat(PackageOrder.violations(fixture.compile()))
        .isNotEmpty()
        .allSatisfy(violation -> assertThat(violation).startsWith("model is plain Java"));
  }

  @Test
  void anEmptyPackageIsNoticed() throws IOException {
    use("store", "model");
    assertThat(PackageOrder.filledPackages(fixture.compile())).containsExactly("model", "store");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          System.currentTimeMillis();                                       | Clock
          System.nanoTime();                                                | Clock
          java.util.function.LongSupplier time = System::nanoTime;          | Clock
          java.time.Instant.now();                                          | Clock
          java.time.Clock.systemUTC();                                      | Clock
          new java.util.Date();                                             | Clock
          Thread.sleep(1);                                                  | Clock
          java.util.concurrent.TimeUnit.SECONDS.sleep(1);                   | Clock
          new Thread(() -> {});                                             | Tasks
          new Thread() {};                                                  | Tasks
          java.util.concurrent.Executors.newCachedThreadPool();             | Tasks
          java.util.concurrent.ForkJoinPool.commonPool();                   | Tasks
          new java.util.concurrent.ForkJoinPool(1);                         | Tasks
          java.util.concurrent.CompletableFuture.runAsync(() -> {});        | Tasks
          new java.util.concurrent.CompletableFuture<>().thenRunAsync(() -> {}); | Tasks
          new java.util.Timer();                                            | Tasks
          java.util.List.of(1).parallelStream();                            | Tasks
          java.util.stream.Stream.of(1).parallel();                         | Tasks
          java.util.UUID.randomUUID();                                      | Entropy
          Math.random();                                                    | Entropy
          new java.util.Random(1);                                          | Entropy
          new java.util.SplittableRandom(1);                                | Entropy
          java.util.concurrent.ThreadLocalRandom.current();                 | Entropy
          new java.security.SecureRandom();                                 | Entropy
          java.util.random.RandomGenerator.getDefault();                    | Entropy
          java.util.Collections.shuffle(new java.util.ArrayList<>());       | Entropy
          java.nio.file.Files.createTempFile("a", "b");                     | Entropy
          new java.util.HashMap<>();                                        | TreeMap
          new java.util.HashSet<>();                                        | TreeMap
          java.util.function.Supplier<?> make = java.util.HashMap::new;     | TreeMap
          java.util.Set.of(1);                                              | TreeMap
          java.util.Set.copyOf(new java.util.TreeSet<>());                  | TreeMap
          java.util.Map.of();                                               | TreeMap
          java.util.Map.copyOf(new java.util.TreeMap<>());                  | TreeMap
          java.util.stream.Collectors.toSet();                              | TreeMap
          java.util.stream.Collectors.toMap(x -> x, x -> x);                | TreeMap
          java.util.stream.Collectors.groupingBy(x -> x);                   | TreeMap
          """)
  void aBannedCallNamesItsReplacement(String statement, String replacement) throws IOException {
    call("store", statement);
    assertThat(BannedCalls.violations(fixture.compile()))
        .isNotEmpty()
        .allSatisfy(violation -> assertThat(violation).contains(replacement));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ((java.util.concurrent.ExecutorService) null).submit(() -> {});   | Tasks
          ((java.util.concurrent.Executor) null).execute(() -> {});         | Tasks
          Thread.currentThread().join();                                    | Tasks
          Thread.yield();                                                   | Tasks
          this.wait();                                                      | Monitor
          new Object().wait(1);                                             | Monitor
          this.notifyAll();                                                 | Monitor
          new java.util.concurrent.locks.ReentrantLock();                   | Monitor
          ((java.util.concurrent.locks.Lock) null).lock();                  | Monitor
          java.util.concurrent.locks.LockSupport.park();                    | Monitor
          new java.util.concurrent.CountDownLatch(1);                       | Monitor
          new java.util.concurrent.Semaphore(1);                            | Monitor
          new java.util.concurrent.CyclicBarrier(2);                        | Monitor
          new java.util.concurrent.Phaser();                                | Monitor
          new java.util.concurrent.ArrayBlockingQueue<>(1);                 | Monitor
          new java.util.concurrent.LinkedBlockingDeque<>();                 | Monitor
          new java.util.concurrent.LinkedTransferQueue<>();                 | Monitor
          new java.util.concurrent.SynchronousQueue<>();                    | Monitor
          ((java.util.concurrent.BlockingQueue<?>) null).take();            | Monitor
          new java.util.concurrent.CompletableFuture<>().join();            | Monitor
          new java.util.concurrent.FutureTask<>(() -> 1).get();             | Monitor
          ((java.util.concurrent.Future<?>) null).get();                    | Monitor
          """)
  void aWayToWaitNamesItsReplacement(String statement, String replacement) throws IOException {
    aBannedCallNamesItsReplacement(statement, replacement);
  }

  @Test
  void onlyRuntimeWrapsTheClockAndWaitsAndEvenItDoesNotIterateByHash() throws IOException {
    call("runtime", "System.nanoTime(); new Thread(() -> Thread.yield()); this.wait(1);");
    assertThat(BannedCalls.violations(fixture.compile())).isEmpty();
    call("runtime", "new java.util.HashMap<>();");
    assertThat(BannedCalls.violations(fixture.compile())).isNotEmpty();
  }

  @Test
  void orderedCollectionsAndFuturesThatNobodyWaitsForAreFine() throws IOException {
    call(
        "store",
        """
        new java.util.LinkedHashMap<>();
        new java.util.TreeSet<>();
        java.util.List.of(1);
        new java.util.concurrent.CompletableFuture<>().complete(1);
        new java.util.concurrent.ConcurrentLinkedQueue<>().poll();
        this.hashCode();
        Thread.currentThread().interrupt();
        """);
    assertThat(BannedCalls.violations(fixture.compile())).isEmpty();
  }

  @Test
  void theFaceIsThePublicTypesOfExportedPackages() throws IOException {
    fixture
        .with(
            "module-info.java", "module m { exports io.lakestream; exports io.lakestream.b to m; }")
        .with(
            "io/lakestream/A.java",
            "package io.lakestream; public class A { public static class In {} } class Hidden {}")
        .with("io/lakestream/b/B.java", "package io.lakestream.b; public class B {}")
        .with("io/lakestream/c/C.java", "package io.lakestream.c; public class C {}");
    assertThat(PublicTypes.of(fixture.classes(), fixture.compile()))
        .containsExactly("io.lakestream.A");
  }

  @Test
  void aLongMethodIsRefused() {
    assertRefused(main(method(SourceRules.METHOD_LINES + 1)), "method m has 61 lines");
    assertAccepted(main(method(SourceRules.METHOD_LINES)));
  }

  @Test
  void aLongConstructorOrInitializerIsRefused() {
    String body = "\n".repeat(SourceRules.METHOD_LINES);
    assertRefused(main("class A { A() {" + body + "} }"), "method <init> has 61 lines");
    assertRefused(main("class A { static {" + body + "} }"), "initializer has 61 lines");
  }

  @Test
  void aLongFileIsRefused() {
    String text = "class A {}" + "\n".repeat(SourceRules.MAIN_FILE_LINES) + "// end";
    assertRefused(main(text), "has 601 lines");
    assertAccepted(new SourceFile("lakestream-core/src/test/java/A.java", text));
    String longer = "class A {}" + "\n".repeat(SourceRules.TEST_FILE_LINES) + "// end";
    assertRefused(new SourceFile("lakestream-core/src/test/java/A.java", longer), "1001 lines");
  }

  @Test
  void aLongLineIsRefusedUnlessItImportsOrLinks() {
    String filler = "x".repeat(SourceRules.COLUMNS);
    assertRefused(main("// " + filler), "A.java:1 has 103 columns");
    assertAccepted(main("import " + filler + ";\n// https://example.com/" + filler));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "package io.lakestream.util;",
        "package io.lakestream.common.store;",
        "package io.lakestream; class Base {}",
        "package io.lakestream; class StoreImpl {}",
        "package io.lakestream; class ByteUtils {}",
        "package io.lakestream; class A { interface TestHelper {} }",
        "package io.lakestream; record LockManager() {}",
      })
  void anEmptyNameIsRefused(String text) {
    assertRefused(main(text), "name it after what it is");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.out.println();",
        "java.lang.System.err.flush();",
        "new Exception().printStackTrace();",
        "java.util.function.Consumer<Exception> c = Exception::printStackTrace;",
      })
  void onlyTheCommandPrints(String statement) {
    String text = "class A { void m() { " + statement + " } }";
    assertRefused(main(text), "only lakestream-cli prints");
    assertAccepted(new SourceFile("lakestream-cli/src/main/java/A.java", text));
  }

  @Test
  void aStaticImportDoesNotHideAPrint() {
    assertRefused(main("import static java.lang.System.out; class A {}"), "System.out");
  }

  private void use(String from, String to) throws IOException {
    fixture.with(path(to, "Used"), "package %s; public class Used {}".formatted(qualified(to)));
    fixture.with(
        path(from, "User"),
        "package %s; class User { %s.Used used; }".formatted(qualified(from), qualified(to)));
  }

  private void call(String from, String statement) throws IOException {
    fixture.with(
        path(from, "Caller"),
        "package %s; class Caller { void call() throws Exception { %s } }"
            .formatted(qualified(from), statement));
  }

  private static String qualified(String name) {
    return name.equals("api") ? "io.lakestream" : "io.lakestream." + name;
  }

  private static String path(String name, String type) {
    return qualified(name).replace('.', '/') + "/" + type + ".java";
  }

  private static SourceFile main(String text) {
    return new SourceFile("lakestream-core/src/main/java/A.java", text);
  }

  private static String method(int lines) {
    return "class A { void m() {" + "\n".repeat(lines - 1) + "} }";
  }

  private static void assertRefused(SourceFile source, String message) {
    assertThat(SourceRules.violations(List.of(source)))
        .isNotEmpty()
        .allSatisfy(violation -> assertThat(violation).contains(message));
  }

  private static void assertAccepted(SourceFile source) {
    assertThat(SourceRules.violations(List.of(source))).isEmpty();
  }
}
