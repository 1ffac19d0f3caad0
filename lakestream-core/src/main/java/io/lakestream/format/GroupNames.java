// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Watermark;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys of what training jobs leave. A report of a rank has its content in its name and no
 * bytes, so that one listing tells where all ranks stand.
 *
 * <pre>
 * group/train/00000000000000000002/generation
 * group/train/00000000000000000002/void
 * group/train/00000000000000000002/removed
 * group/train/00000000000000000002/rank-0000000063/00000000000000000007-4700-4711
 * </pre>
 */
public final class GroupNames {
  public static final String GROUPS = "group/";

  private static final Pattern KEY =
      Pattern.compile(
          "group/([^/]+)/(\\d{20})/"
              + "(generation|void|removed|rank-(\\d{10})/(\\d{20})-(\\d{1,19})-(\\d{1,19}))");

  private static final int RANK_DIGITS = 10;

  private GroupNames() {}

  /** What kind of object of a group a key is of. */
  public enum Kind {
    /** The record of a start. */
    GENERATION,

    /** Says that a start failed: the one before it counts. */
    VOID,

    /** Says that the job is done. */
    REMOVED,

    /** A report of a rank. */
    REPORT
  }

  /**
   * What a key says.
   *
   * @param group the group
   * @param number of which start
   * @param kind of what kind
   * @param report what is reported, if it is a report
   */
  public record Parsed(String group, long number, Kind kind, Optional<Report> report) {}

  /**
   * A report of a rank.
   *
   * @param rank the rank
   * @param count how many reports the rank has made, this one included
   * @param watermark what it reports
   */
  public record Report(int rank, long count, Watermark watermark) {}

  /**
   * All that belongs to a group.
   *
   * @throws InvalidRequest if the name cannot be part of a key
   */
  public static String group(String group) {
    return GROUPS + Names.escape("group name", group) + "/";
  }

  private static String start(String group, long number) {
    return group(group) + Names.padded(number) + "/";
  }

  /** The record of a start. */
  public static String generation(String group, long number) {
    return start(group, number) + "generation";
  }

  /** The object that says that a start failed. */
  public static String voided(String group, long number) {
    return start(group, number) + "void";
  }

  /** The object that says that a job is done. */
  public static String removed(String group, long number) {
    return start(group, number) + "removed";
  }

  /** The reports of a rank. */
  public static String reports(String group, long number, int rank) {
    return start(group, number) + "rank-" + Names.padded(rank, RANK_DIGITS) + "/";
  }

  /** A report of a rank. */
  public static String report(String group, long number, Report report) {
    return reports(group, number, report.rank())
        + Names.padded(report.count())
        + "-%d-%d".formatted(report.watermark().step(), report.watermark().readStep());
  }

  /** What a key says, if it is one of a group. */
  public static Optional<Parsed> parse(String key) {
    Matcher matcher = KEY.matcher(key);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      boolean isReport = matcher.group(4) != null;
      Kind kind = isReport ? Kind.REPORT : Kind.valueOf(matcher.group(3).toUpperCase(Locale.ROOT));
      Optional<Report> report = isReport ? Optional.of(reportIn(matcher)) : Optional.empty();
      long number = Long.parseLong(matcher.group(2));
      return Names.unescape(matcher.group(1)).map(group -> new Parsed(group, number, kind, report));
    } catch (NumberFormatException | InvalidRequest e) {
      return Optional.empty();
    }
  }

  private static Report reportIn(Matcher matcher) {
    return new Report(
        Integer.parseInt(matcher.group(4)),
        Long.parseLong(matcher.group(5)),
        new Watermark(Long.parseLong(matcher.group(6)), Long.parseLong(matcher.group(7))));
  }
}
