// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The face of a module: the public top-level types of the packages that it exports to all. */
final class PublicTypes {
  private PublicTypes() {}

  /** The face of the module compiled into {@code folder}, as sorted names. */
  static List<String> of(Path folder, JavaClasses classes) throws IOException {
    Set<String> exported = exportedPackages(folder);
    return classes.stream()
        .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(type -> exported.contains(type.getPackageName()))
        .map(type -> type.getName())
        .sorted()
        .toList();
  }

  /** The names of a class and of all that extend it. */
  static Set<String> subtypesOf(String name, JavaClasses classes) {
    return classes.stream()
        .filter(type -> type.isAssignableTo(name))
        .map(type -> type.getName())
        .collect(Collectors.toSet());
  }

  private static Set<String> exportedPackages(Path folder) throws IOException {
    try (InputStream descriptor = Files.newInputStream(folder.resolve("module-info.class"))) {
      return ModuleDescriptor.read(descriptor).exports().stream()
          .filter(exports -> !exports.isQualified())
          .map(ModuleDescriptor.Exports::source)
          .collect(Collectors.toSet());
    }
  }
}
