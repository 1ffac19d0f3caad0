// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.format.GenerationRecord;
import io.lakestream.format.GroupNames;
import io.lakestream.format.GroupNames.Report;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.DataLoss;
import io.lakestream.model.Generation;
import io.lakestream.model.GroupStanding;
import io.lakestream.model.Watermark;
import io.lakestream.store.Listings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What one listing of the groups says. Of the reports of a rank the last counts; of two that claim
 * the same place, which takes two processes with one rank, the lower one.
 */
final class GroupListing {
  private static final Comparator<Report> ORDER =
      Comparator.comparingLong(Report::count)
          .thenComparing(report -> report.watermark().step(), Comparator.reverseOrder())
          .thenComparing(report -> report.watermark().readStep());

  /** Starts that overtake one another while we look; more often than this it is damage. */
  static final int LISTINGS_MAX = 10;

  private final TreeMap<String, TreeMap<Long, Start>> groups = new TreeMap<>();

  /** What a listing has of one start of a group's job. */
  private static final class Start {
    private final List<String> keys = new ArrayList<>();
    private final Map<Integer, Report> reports = new TreeMap<>();
    private boolean hasRecord;
    private boolean isVoid;
    private boolean isRemoved;

    void add(String key, GroupNames.Parsed parsed) {
      keys.add(key);
      switch (parsed.kind()) {
        case GENERATION -> hasRecord = true;
        case VOID -> isVoid = true;
        case REMOVED -> isRemoved = true;
        case REPORT -> {
          Report report = parsed.report().orElseThrow();
          reports.merge(report.rank(), report, GroupListing::later);
        }
      }
    }

    boolean counts() {
      return hasRecord && !isVoid;
    }

    /** Ranks get a start only once it is confirmed; before that it may still become void. */
    boolean isConfirmed() {
      return counts() && (!reports.isEmpty() || isRemoved);
    }
  }

  private GroupListing() {}

  /** Lists what is below {@code prefix}: all groups, or one. */
  static GroupListing read(ManifestLog log, String prefix) throws IOException {
    GroupListing listing = new GroupListing();
    for (String key : Listings.keys(log.store(), prefix)) {
      GroupNames.parse(key).ifPresent(parsed -> listing.add(key, parsed));
    }
    return listing;
  }

  private void add(String key, GroupNames.Parsed parsed) {
    groups
        .computeIfAbsent(parsed.group(), group -> new TreeMap<>())
        .computeIfAbsent(parsed.number(), number -> new Start())
        .add(key, parsed);
  }

  private static Report later(Report a, Report b) {
    return ORDER.compare(a, b) < 0 ? b : a;
  }

  /** The highest number that a start of a group has, or 0. */
  long lastNumber(String group) {
    return starts(group).isEmpty() ? 0 : starts(group).lastKey();
  }

  /** The number of the start that counts, whether its job is done or not. */
  Optional<Long> newest(String group) {
    return newest(group, Start::counts);
  }

  private Optional<Long> newest(String group, Predicate<Start> isWanted) {
    return starts(group).descendingMap().entrySet().stream()
        .filter(start -> isWanted.test(start.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The reports of a rank that are there, oldest first, and the key of each. */
  Map<Report, String> reports(Generation generation, int rank) {
    Map<Report, String> reports = new TreeMap<>(ORDER);
    for (String key : start(generation.group(), generation.number()).keys) {
      GroupNames.parse(key)
          .flatMap(GroupNames.Parsed::report)
          .filter(report -> report.rank() == rank)
          .ifPresent(report -> reports.put(report, key));
    }
    return reports;
  }

  /** The number of the start that counts, if its job is not done. */
  Optional<Long> running(String group) {
    return newest(group).filter(number -> !start(group, number).isRemoved);
  }

  private NavigableMap<Long, Start> starts(String group) {
    return groups.getOrDefault(group, new TreeMap<>());
  }

  private Start start(String group, long number) {
    Start start = starts(group).get(number);
    if (start == null) {
      throw new AssertionError("group '%s' was listed without start %d".formatted(group, number));
    }
    return start;
  }

  /**
   * Where the ranks of all running jobs stand.
   *
   * @throws DataLoss if the record of a start that counts is gone
   */
  static List<GroupStanding> standings(ManifestLog log) throws IOException {
    for (int i = 1; ; i++) {
      GroupListing listing = read(log, GroupNames.GROUPS);
      try {
        return listing.readStandings(log);
      } catch (DataLoss e) {
        // Started anew since the listing, and what was overtaken is deleted?
        if (i == LISTINGS_MAX) {
          throw e;
        }
      }
    }
  }

  private List<GroupStanding> readStandings(ManifestLog log) throws IOException {
    List<GroupStanding> standings = new ArrayList<>();
    for (String group : groups.keySet()) {
      Optional<Long> number = running(group);
      if (number.isPresent()) {
        standings.add(standing(log, group, number.get()));
      }
    }
    return standings;
  }

  private GroupStanding standing(ManifestLog log, String group, long number) throws IOException {
    String key = GroupNames.generation(group, number);
    Generation generation =
        log.store()
            .read(key)
            .map(bytes -> GenerationRecord.decode(group, number, log.namespace(), bytes))
            .map(GenerationRecord::generation)
            .orElseThrow(
                () ->
                    new DataLoss(
                        "%s was listed and is gone: what its job needs is not known; remove the"
                                .formatted(key)
                            + " group if the job is done, or start it again"));
    Map<Integer, Report> reports = start(group, number).reports;
    List<Optional<Watermark>> watermarks =
        IntStream.range(0, generation.worldSize())
            .mapToObj(rank -> Optional.ofNullable(reports.get(rank)).map(Report::watermark))
            .toList();
    return new GroupStanding(generation, watermarks);
  }

  /**
   * Keys of what counts no more: all of a job's starts before the last confirmed one. One that is
   * not may turn out to be void, and the one before counts again.
   */
  List<String> overtaken() {
    List<String> keys = new ArrayList<>();
    for (Map.Entry<String, TreeMap<Long, Start>> group : groups.entrySet()) {
      newest(group.getKey(), Start::isConfirmed)
          .ifPresent(
              number ->
                  group.getValue().headMap(number).values().stream()
                      .map(start -> start.keys)
                      .forEach(keys::addAll));
    }
    return keys;
  }
}
