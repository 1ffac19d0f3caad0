// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import java.util.ArrayList;
import java.util.List;

/** What does not match, each in one sentence that names step, slice or producer. */
public final class Mismatches {
  /** More than this helps nobody; the rest is counted. */
  public static final int SHOWN_MAX = 20;

  private final List<String> shown = new ArrayList<>();
  private long count;

  /** Takes note of one. */
  public void add(String sentence) {
    count++;
    if (shown.size() < SHOWN_MAX) {
      shown.add(sentence);
    }
  }

  /** The first ones, and how many more there are. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>(shown);
    if (count > shown.size()) {
      sentences.add("and %d more".formatted(count - shown.size()));
    }
    return sentences;
  }
}
