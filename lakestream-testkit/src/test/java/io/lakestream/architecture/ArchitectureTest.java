// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Lakestream keeps the rules. {@link RulesCanFailTest} shows that each of them can fail. */
class ArchitectureTest {
  /** Few enough to read in one sitting. */
  private static final int PUBLIC_TYPES = 30;

  private static final Path ROOT = SourceFile.root();
  private static final Path CORE_FOLDER = ROOT.resolve("lakestream-core/target/classes");

  /** Core as written, without the generated messages. */
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/io/lakestream/format/proto/"))
          .importPath(CORE_FOLDER);

  @Test
  void packagesPointOneWay() {
    assertThat(PackageOrder.violations(CORE)).isEmpty();
  }

  @Test
  void everyPackageOfTheOrderIsThere() {
    Set<String> packages = new TreeSet<>(PackageOrder.packages());
    packages.remove("lifecycle");
    assertThat(PackageOrder.filledPackages(CORE)).containsAll(packages);
  }

  @Test
  void timeChanceAndThreadsComeThroughRuntimeAndNothingIteratesByHash() {
    assertThat(BannedCalls.violations(CORE)).isEmpty();
  }

  @Test
  void theFaceOfCoreIsSmall() throws IOException {
    assertThat(PublicTypes.of(CORE_FOLDER, CORE))
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(PUBLIC_TYPES);
  }

  @Test
  void sourcesAreSmallWellNamedAndSilent() throws IOException {
    List<SourceFile> sources = SourceFile.allUnder(ROOT);
    assertThat(sources).extracting(SourceFile::module).contains("lakestream-core");
    assertThat(SourceRules.violations(sources)).isEmpty();
  }
}
