// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The links of Markdown documents to files of the tree, and to headings. */
final class DocumentLinks {
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)[^)]*\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*:.*");

  private DocumentLinks() {}

  /** Every link in {@code documents} that leads nowhere; those to other places are not tried. */
  static List<String> violations(Path root, List<SourceFile> documents) throws IOException {
    List<String> found = new ArrayList<>();
    for (SourceFile document : documents) {
      String prose = prose(document.text());
      for (MatchResult link : LINK.matcher(prose).results().toList()) {
        String target = link.group(1);
        if (!SCHEME.matcher(target).matches() && !isThere(root.resolve(document.path()), target)) {
          found.add(
              "%s links to %s, which is not there: mend the link"
                  .formatted(document.path(), target));
        }
      }
    }
    return found;
  }

  private static boolean isThere(Path document, String target) throws IOException {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path file = path.isEmpty() ? document : document.resolveSibling(URLDecoder.decode(path, UTF_8));
    if (!Files.exists(file)) {
      return false;
    }
    return hash < 0 || anchors(Files.readString(file)).contains(target.substring(hash + 1));
  }

  /** What a heading is called in links: its words in lower case, with hyphens between them. */
  private static List<String> anchors(String text) {
    return HEADING
        .matcher(prose(text))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
        .toList();
  }

  /** A document without its examples, in which nothing is a link or heading. */
  private static String prose(String text) {
    return FENCED.matcher(text).replaceAll("");
  }
}
