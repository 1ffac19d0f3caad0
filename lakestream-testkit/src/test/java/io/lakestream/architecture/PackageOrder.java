// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The packages of core point one way: what each may use, transitively closed. */
final class PackageOrder {
  private static final String ROOT = "io.lakestream";

  /** The package {@code io.lakestream} itself. */
  private static final String API = "api";

  private static final Set<String> UNDER_STORE = Set.of("model");
  private static final Set<String> UNDER_MANIFEST = with(UNDER_STORE, "format", "store", "runtime");
  private static final Set<String> UNDER_COMMIT = with(UNDER_MANIFEST, "manifest", "policy");
  private static final Set<String> UNDER_CONSUME = with(UNDER_COMMIT, "commit");
  private static final Set<String> UNDER_FSCK = with(UNDER_CONSUME, "consume");
  private static final Set<String> UNDER_API = with(UNDER_FSCK, "produce", "lifecycle", "fsck");

  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          entry(API, UNDER_API),
          entry("produce", UNDER_CONSUME),
          entry("fsck", UNDER_FSCK),
          entry("consume", UNDER_CONSUME),
          entry("lifecycle", UNDER_CONSUME),
          entry("commit", UNDER_COMMIT),
          entry("manifest", UNDER_MANIFEST),
          entry("format", UNDER_STORE),
          entry("policy", UNDER_STORE),
          entry("store", with(UNDER_STORE, "runtime")),
          entry("runtime", UNDER_STORE),
          entry("model", Set.of()));

  private PackageOrder() {}

  /** Every package that has a place in the order, {@code api} for the root. */
  static Set<String> packages() {
    return new TreeSet<>(MAY_USE.keySet());
  }

  /** The packages that {@code classes} fill. */
  static Set<String> filledPackages(JavaClasses classes) {
    Set<String> filled = new TreeSet<>();
    for (JavaClass type : classes) {
      if (!type.getSimpleName().equals("package-info")) {
        filled.add(packageOf(type));
      }
    }
    return filled;
  }

  /** Uses that point up or sideways, and packages that have no place. */
  static List<String> violations(JavaClasses classes) {
    List<String> found = new ArrayList<>();
    for (JavaClass type : classes) {
      String from = packageOf(type);
      Set<String> allowed = MAY_USE.get(from);
      if (allowed == null) {
        found.add(type.getName() + ": package " + from + " has no place in the order of packages");
        continue;
      }
      for (Dependency use : type.getDirectDependenciesFromSelf()) {
        checkUse(from, allowed, use, found);
      }
    }
    return found;
  }

  private static void checkUse(
      String from, Set<String> allowed, Dependency use, List<String> found) {
    JavaClass target = use.getTargetClass().getBaseComponentType();
    if (isOurs(target)) {
      String to = packageOf(target);
      if (!to.equals(from) && !allowed.contains(to)) {
        found.add(
            "%s may not use %s, only %s: %s".formatted(from, to, allowed, use.getDescription()));
      }
    } else if (from.equals("model") && !isPlainJava(target)) {
      found.add("model is plain Java and may use no library but JSON: " + use.getDescription());
    }
  }

  private static Set<String> with(Set<String> lower, String... packages) {
    Set<String> all = new TreeSet<>(lower);
    all.addAll(List.of(packages));
    return all;
  }

  private static boolean isOurs(JavaClass type) {
    return (type.getPackageName() + ".").startsWith(ROOT + ".");
  }

  private static boolean isPlainJava(JavaClass type) {
    return type.isPrimitive()
        || type.getPackageName().startsWith("java.")
        || type.getPackageName().startsWith("org.jspecify.")
        // A cursor is written into other people's checkpoints, as JSON.
        || type.getPackageName().startsWith("com.fasterxml.jackson.core");
  }

  /** The first part after {@code io.lakestream}: sub-packages share the place of their parent. */
  private static String packageOf(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ROOT) ? API : name.substring(ROOT.length() + 1).replaceFirst("\\..*", "");
  }
}
