// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What core may not call: time, chance, threads and all waiting come through {@code
 * io.lakestream.runtime}, and nothing iterates in an order that differs from run to run. Otherwise
 * a seed would not replay.
 */
final class BannedCalls {
  private static final String CLOCK = "io.lakestream.runtime.Clock";
  private static final String ENTROPY = "io.lakestream.runtime.Entropy";
  private static final String TASKS = "io.lakestream.runtime.Tasks";
  private static final String MONITOR = "io.lakestream.runtime.Monitor";
  private static final String ORDERED = "TreeMap, TreeSet, LinkedHashMap, LinkedHashSet or List";

  /** Banned everywhere in core but in the package that wraps them. */
  private static final List<Ban> AROUND_RUNTIME =
      List.of(
          calls("java.lang.System", "currentTimeMillis|nanoTime", CLOCK),
          calls("java.time[.].*", "now|system|systemUTC|systemDefaultZone|tick.*", CLOCK),
          calls("java.util.(Date|GregorianCalendar)", "<init>", CLOCK),
          calls("java.util.Calendar", "getInstance", CLOCK),
          calls("java.lang.Thread", "sleep", CLOCK),
          calls("java.util.concurrent.TimeUnit", "sleep", CLOCK),
          calls("java.lang.Thread", "<init>|ofVirtual|ofPlatform|startVirtualThread", TASKS),
          calls("java.util.concurrent.Executors", ".*", TASKS),
          calls("java.util.concurrent.(Scheduled)?ThreadPoolExecutor", "<init>", TASKS),
          calls("java.util.concurrent.ForkJoinPool", ".*", TASKS),
          calls("java.util.(Timer|TimerTask)", "<init>", TASKS),
          calls("java.util[.].*", "parallelStream", TASKS),
          calls("java.util.stream[.].*", "parallel", TASKS),
          calls(
              "java.util.concurrent.(CompletableFuture|CompletionStage)",
              ".*Async|delayedExecutor|orTimeout|completeOnTimeout",
              TASKS),
          calls("java.util.concurrent.(Scheduled)?ExecutorService", ".*", TASKS),
          calls("java.util.concurrent.Executor(CompletionService)?", ".*", TASKS),
          calls("java.lang.Thread", "join|yield|onSpinWait", "io.lakestream.runtime.Tasks.Task"),
          calls("java.lang.Object", "wait|notify|notifyAll", MONITOR),
          calls("java.util.concurrent.locks[.].*", ".*", MONITOR),
          calls(
              "java.util.concurrent.(CountDownLatch|CyclicBarrier|Exchanger|Phaser|Semaphore)",
              ".*",
              MONITOR),
          calls("java.util.concurrent.\\w*(Blocking|Transfer)(Queue|Deque)", ".*", MONITOR),
          calls("java.util.concurrent.(SynchronousQueue|DelayQueue)", ".*", MONITOR),
          calls("java.util.concurrent.(Completable)?Future(Task)?", "get|join", MONITOR),
          calls("java.util.UUID", "randomUUID", ENTROPY),
          calls("java.lang.Math|java.lang.StrictMath", "random", ENTROPY),
          calls("java.util.Collections", "shuffle", ENTROPY),
          calls("java.nio.file.Files", "createTemp(File|Directory)", ENTROPY),
          calls("java.io.File", "createTempFile", ENTROPY),
          calls("java.util.concurrent.ThreadLocalRandom", ".*", ENTROPY),
          calls("java.util.random[.].*", "of|getDefault|create", ENTROPY),
          calls("java.util.(Random|SplittableRandom)", "<init>", ENTROPY),
          calls("java.security.SecureRandom", ".*", ENTROPY));

  /** Banned everywhere in core. */
  private static final List<Ban> IN_CORE =
      List.of(
          calls("java.util.(HashMap|HashSet)", "<init>|newHash.*", ORDERED),
          calls("java.util.Set", "of|copyOf", ORDERED),
          calls("java.util.Map", "of|ofEntries|copyOf", ORDERED),
          calls("java.util.stream.Collectors", "toSet|toUnmodifiable(Set|Map)", ORDERED),
          new Ban(BannedCalls::makesHashMap, "a collector with a map factory: " + ORDERED));

  private BannedCalls() {}

  /** Every banned call in {@code classes}, with its replacement. */
  static List<String> violations(JavaClasses classes) {
    List<String> found = new ArrayList<>();
    for (JavaClass type : classes) {
      List<Ban> bans = new ArrayList<>(IN_CORE);
      if (!(type.getPackageName() + ".").startsWith("io.lakestream.runtime.")) {
        bans.addAll(AROUND_RUNTIME);
      }
      for (JavaAccess<?> access : type.getAccessesFromSelf()) {
        for (Ban ban : bans) {
          if (ban.isHit().test(access.getTarget())) {
            found.add(access.getDescription() + ": use " + ban.replacement());
          }
        }
      }
    }
    return found;
  }

  private static Ban calls(String ownerPattern, String namePattern, String replacement) {
    Pattern owner = Pattern.compile(ownerPattern);
    Pattern name = Pattern.compile(namePattern);
    return new Ban(
        target ->
            owner.matcher(target.getOwner().getName()).matches()
                && name.matcher(target.getName()).matches(),
        replacement);
  }

  /** The short forms of toMap and groupingBy fill a HashMap. */
  private static boolean makesHashMap(AccessTarget target) {
    if (!target.getOwner().getName().equals("java.util.stream.Collectors")
        || !(target instanceof AccessTarget.CodeUnitAccessTarget call)) {
      return false;
    }
    int arguments = call.getRawParameterTypes().size();
    return (call.getName().equals("toMap") && arguments < 4)
        || (call.getName().equals("groupingBy") && arguments < 3);
  }

  private record Ban(Predicate<AccessTarget> isHit, String replacement) {}
}
