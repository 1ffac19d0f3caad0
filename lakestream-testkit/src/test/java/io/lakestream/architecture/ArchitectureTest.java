// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Lakestream keeps the rules. {@link RulesCanFailTest} shows that each of them can fail. */
class ArchitectureTest {
  /** What a user meets besides the family of errors: few enough to read in one sitting. */
  private static final int USER_TYPES = 50;

  /** What somebody who brings a store or a runtime meets. */
  private static final int IMPLEMENTER_TYPES = 28;

  /** What somebody meets besides who brings a store of buckets. */
  private static final int BUCKET_TYPES = 10;

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
    assertThat(PackageOrder.filledPackages(CORE)).containsAll(PackageOrder.packages());
  }

  @Test
  void timeChanceThreadsAndWaitingComeThroughRuntimeAndNothingIteratesByHash() {
    assertThat(BannedCalls.violations(CORE)).isEmpty();
  }

  @Test
  void theFaceOfCoreIsSmall() throws IOException {
    List<String> face = PublicTypes.of(CORE_FOLDER, CORE);
    Set<String> errors = PublicTypes.subtypesOf("io.lakestream.model.LakestreamException", CORE);
    List<String> bucket =
        face.stream().filter(type -> type.startsWith("io.lakestream.store.bucket.")).toList();
    List<String> implementer = new ArrayList<>(face);
    implementer.removeIf(type -> !isForImplementers(type));
    List<String> user = new ArrayList<>(face);
    user.removeAll(implementer);
    implementer.removeAll(bucket);
    user.removeAll(errors);
    assertThat(errors).isNotEmpty();
    assertThat(implementer).isNotEmpty().hasSizeLessThanOrEqualTo(IMPLEMENTER_TYPES);
    assertThat(bucket).isNotEmpty().hasSizeLessThanOrEqualTo(BUCKET_TYPES);
    assertThat(user).isNotEmpty().hasSizeLessThanOrEqualTo(USER_TYPES);
  }

  private static boolean isForImplementers(String type) {
    return type.startsWith("io.lakestream.store.") || type.startsWith("io.lakestream.runtime.");
  }

  @Test
  void sourcesAreSmallWellNamedAndSilent() throws IOException {
    List<SourceFile> sources = SourceFile.allUnder(ROOT, ".java");
    assertThat(sources).extracting(SourceFile::module).contains("lakestream-core");
    assertThat(SourceRules.violations(sources)).isEmpty();
  }

  @Test
  void theLinksOfTheDocumentsLeadSomewhere() throws IOException {
    List<SourceFile> documents = SourceFile.allUnder(ROOT, ".md");
    assertThat(documents).extracting(SourceFile::path).contains("README.md", "docs/format.md");
    assertThat(DocumentLinks.violations(ROOT, documents)).isEmpty();
  }
}
