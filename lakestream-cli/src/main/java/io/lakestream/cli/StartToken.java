// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Lifecycle;
import io.lakestream.model.Generation;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.InvalidRequest;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a start of a group, such as {@code train@3}: what a launcher hands to the ranks. Without a
 * number, it is the newest start.
 *
 * @param group the group
 * @param number which start
 */
record StartToken(String group, OptionalLong number) {
  private static final Pattern TEXT = Pattern.compile("(.+)@([0-9]{1,18})", Pattern.DOTALL);

  /** The token of a start. */
  static StartToken of(Generation generation) {
    return new StartToken(generation.group(), OptionalLong.of(generation.number()));
  }

  /** Reads a token or the name of a group. */
  static StartToken parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? new StartToken(matcher.group(1), OptionalLong.of(Long.parseLong(matcher.group(2))))
        : new StartToken(text, OptionalLong.empty());
  }

  /**
   * Refuses the name of a group that looks like a token.
   *
   * @throws InvalidRequest if it does
   */
  static void requireName(String group) {
    if (parse(group).number.isPresent()) {
      throw new InvalidRequest(
          "'%s' looks like a start of group '%s'; a group's name does not end in @ and a number"
              .formatted(group, parse(group).group));
    }
  }

  /**
   * The start, which is its job's newest.
   *
   * @param place where the namespace is
   * @throws CommandFailed if there is none, or it was overtaken
   */
  Generation generation(Lifecycle lifecycle, String place) {
    Generation newest =
        lifecycle.standings().stream()
            .map(GroupStanding::generation)
            .filter(generation -> generation.group().equals(group))
            .findFirst()
            .orElseThrow(() -> GroupCommand.missing(group, place));
    long wanted = number.orElse(newest.number());
    if (wanted > newest.number()) {
      throw new CommandFailed(
          "group '%s' has no start %d; its newest is %d".formatted(group, wanted, newest.number()));
    }
    if (wanted < newest.number()) {
      throw new CommandFailed(
          "group '%s' was started again (start %d), so start %d counts no more; end its processes"
              .formatted(group, newest.number(), wanted));
    }
    return newest;
  }

  @Override
  public String toString() {
    return number.isPresent() ? group + "@" + number.getAsLong() : group;
  }
}
