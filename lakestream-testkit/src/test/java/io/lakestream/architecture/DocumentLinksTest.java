// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link that leads nowhere is found, and no other. */
class DocumentLinksTest {
  @TempDir Path root;

  @BeforeEach
  void writeOther() throws IOException {
    Files.createDirectories(root.resolve("docs/a b"));
    Files.writeString(
        root.resolve("docs/other.md"),
        """
        # Top
        ## 3. What's `here`, and why
        ```
        # no heading
        ```
        """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "docs/other.md",
        "docs/",
        "docs/a%20b",
        "./docs/other.md#top",
        "docs/other.md#3-whats-here-and-why",
        "#own",
        "https://example.com/absent",
        "mailto:somebody@example.com",
      })
  void aLinkThatLeadsSomewhereIsFine(String target) throws IOException {
    assertThat(violations("# Own\n[text](%s)".formatted(target))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "absent.md",
        "docs/absent.md#top",
        "../docs",
        "docs/other.md#absent",
        "docs/other.md#no-heading",
        "docs/other.md#Top",
        "#absent",
      })
  void aLinkThatLeadsNowhereIsRefused(String target) throws IOException {
    assertThat(violations("# Own\n[text](%s)".formatted(target)))
        .containsExactly(
            "README.md links to %s, which is not there: mend the link".formatted(target));
  }

  @Test
  void anExampleHasNoLinks() throws IOException {
    assertThat(violations("```\n[text](absent.md)\n```\n")).isEmpty();
  }

  private List<String> violations(String text) throws IOException {
    Path document = root.resolve("README.md");
    Files.writeString(document, text);
    return DocumentLinks.violations(root, SourceFile.allUnder(root, "README.md"));
  }
}
