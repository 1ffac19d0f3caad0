// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.model.Reclaimed;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a pass of {@code reclaim} did, or would do.
 *
 * @param dryRun whether it only looked
 * @param before the first step before the pass
 * @param firstStep the first step that the stream has then
 * @param heldBy who keeps it from being higher, or null
 * @param retired ids of idle producers whose terms were ended
 * @param dataObjects objects of batches that went
 * @param orphans objects of batches that were never published
 * @param segments segments and index nodes that went
 * @param manifests manifest versions that went
 * @param promises of a dry run: all that holds a step, the lowest first; else null
 */
record Reclamation(
    boolean dryRun,
    long before,
    long firstStep,
    @Nullable PromiseText heldBy,
    List<String> retired,
    long dataObjects,
    long orphans,
    long segments,
    long manifests,
    @Nullable List<PromiseText> promises) {

  /** What a pass did that deletes. */
  static Reclamation done(long before, Reclaimed reclaimed) {
    return of(before, reclaimed, null);
  }

  /** What a pass would do. */
  static Reclamation looked(long before, Reclaimed reclaimed) {
    return of(before, reclaimed, reclaimed.promises().stream().map(PromiseText::of).toList());
  }

  private static Reclamation of(
      long before, Reclaimed reclaimed, @Nullable List<PromiseText> promises) {
    return new Reclamation(
        promises != null,
        before,
        reclaimed.firstStep(),
        reclaimed.heldBy().map(PromiseText::of).orElse(null),
        reclaimed.retired(),
        reclaimed.dataObjects(),
        reclaimed.orphans(),
        reclaimed.segments(),
        reclaimed.manifests(),
        promises);
  }

  /** Whether anything went; objects of steps that were given up before may have gone before. */
  boolean didSomething() {
    return firstStep > before || retired.size() + orphans + segments + manifests > 0;
  }

  /** The pass as a table, and who holds the rest. */
  void print(Console console) {
    Table table = new Table(left("what"), right(dryRun ? "would go" : "went"));
    table.row("steps", Units.count(firstStep - before));
    table.row("batch objects", Units.count(dataObjects));
    table.row("orphans", Units.count(orphans));
    table.row("segments", Units.count(segments));
    table.row("manifest versions", Units.count(manifests));
    table.row("idle producers", Units.count(retired.size()));
    table.print(console);
    console.print("");
    if (!retired.isEmpty()) {
      console.print(
          "%s: %s".formatted(dryRun ? "would be retired" : "retired", String.join(", ", retired)));
      console.print("");
    }
    if (promises != null && !promises.isEmpty()) {
      Table holders = new Table(right("step"), left("held by"));
      promises.forEach(promise -> holders.row(promise.step(), promise.row()));
      holders.print(console);
      console.print("");
    }
    console.print(
        "first step %s %d; %s".formatted(dryRun ? "would be" : "is", firstStep, holder()));
  }

  /** The pass on a line. */
  String line() {
    return "first step %d (+%s): %s, %s, %s, %s went; %s%s"
        .formatted(
            firstStep,
            Units.count(firstStep - before),
            Units.count(dataObjects, "batch object"),
            Units.count(orphans, "orphan"),
            Units.count(segments, "segment"),
            Units.count(manifests, "manifest version"),
            retired.isEmpty() ? "" : "retired %s; ".formatted(String.join(", ", retired)),
            holder());
  }

  String holder() {
    return PromiseText.of(Optional.ofNullable(heldBy));
  }
}
