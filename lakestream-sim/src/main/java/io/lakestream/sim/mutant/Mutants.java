// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

import io.lakestream.sim.Scenario;
import java.util.List;
import java.util.stream.Stream;

/** The bugs that are planted. Each was, somewhere, somebody's real one. */
public final class Mutants {
  private static final List<Mutant> OF_STREAMS =
      List.of(
          new Mutant(
              "versions leave gaps",
              "I1",
              "format.ManifestHeader",
              """
                  return new ManifestHeader(
                      version + 1,
              """
                  .stripTrailing(),
              """
                  return new ManifestHeader(
                      version + 2,
              """
                  .stripTrailing()),
          new Mutant(
              "created means mine",
              "I2",
              "commit.Committer",
              "return checked.isPresent() ? checked.get() : log.heads().find(0);",
              "return checked.orElse(new CheckedHead<>(created,"
                  + " io.lakestream.format.Boundary.NONE));"),
          new Mutant(
              "unknown means created",
              "I2",
              "commit.Committer",
              "while (outcome == PutOutcome.UNKNOWN) {",
              "if (outcome == PutOutcome.UNKNOWN) { outcome = PutOutcome.CREATED; }\n"
                  + "    while (outcome == PutOutcome.UNKNOWN) {"),
          new Mutant(
              "occupied by whomever means mine",
              "I2",
              "commit.Committer",
              ".filter(found -> found.header().commitId().equals(candidate.header().commitId()))",
              ""),
          new Mutant(
              "no epoch",
              "I3",
              "commit.Term",
              "known.isPresent() && known.get().epoch() != epoch",
              "known.isPresent() && known.get().epoch() < 0"),
          new Mutant(
              "a new term counts from the start",
              "I3",
              "commit.OpenChange",
              "before.map(ProducerEntry::nextSeq).orElse(0L)",
              "0L"),
          new Mutant(
              "boundary read before the version",
              "I4",
              "manifest.HeadSearch",
              "Boundary boundary = log.boundaries().newest(manifest.header().boundary());",
              "Boundary boundary = manifest.header().boundary();"),
          new Mutant(
              "batches of a chunk that grows are published anew",
              "I4",
              "format.DescriptorBlock",
              "List<Descriptor> all = new ArrayList<>(descriptors);",
              "List<Descriptor> all = new ArrayList<>(descriptors.stream()"
                  + ".map(one -> one.publishedIn(more.get(0).version())).toList());"),
          new Mutant(
              "slices are not checked",
              "I5",
              "format.SliceTrailer",
              "if (found != expected) {",
              "if (found != expected && blocks < 0) {"),
          new Mutant(
              "cursor counts prefetched steps",
              "I8",
              "Consumer",
              "step.version(), step.nextStep(), step.nextPart());",
              "step.version(), step.nextStep() + settings.prefetchSteps(), 0);"),
          new Mutant(
              "skips are taken from the newest head",
              "I8",
              "Consumer",
              "SkipSet.of(locator.tables().skips(), version)",
              "SkipSet.of(locator.tables().skips(), locator.header().version())"),
          new Mutant(
              "the last of the steps to skip is left out",
              "I8",
              "commit.SkipChange",
              "new SkipRange(first, end - 1, reason,",
              "new SkipRange(first, Math.max(first, end - 2), reason,"),
          new Mutant(
              "replicas beyond the stream's read its first step",
              "I8",
              "consume.Reshape",
              "return dealsRows() ? at.step() : advance(at, job.cell().d()).step();",
              "return at.step();"),
          new Mutant(
              "boundary lowered by the slower reclaimer",
              "I9",
              "manifest.BoundaryChain",
              "i < RAISES_MAX && newest.version() < version; i++",
              "i < 1; i++"));

  private static final List<Mutant> OF_LIFECYCLES =
      List.of(
          new Mutant(
              "trimmed without announcing",
              "promise",
              "commit.AnnounceTrimChange",
              "Math.min(step, base.header().nextStep())",
              "base.header().firstStep()"),
          new Mutant(
              "promises are not read again after announcing",
              "promise",
              "lifecycle.Trimmer",
              "long step = Math.min(wanted, promises.firstNeeded(head.manifest()));",
              "long step = wanted;"),
          new Mutant(
              "a pin is granted without a look at the head",
              "promise",
              "lifecycle.Pins",
              "try {\n      grants.grant(step);",
              "try {\n      grants.grant(Long.MAX_VALUE);"),
          new Mutant(
              "an announced trim refuses nobody",
              "promise",
              "lifecycle.Grants",
              "|| head.trim().filter(trim -> step < trim.step()).isPresent()",
              ""),
          new Mutant(
              "a report of an overtaken start counts",
              "promise",
              "Lifecycle",
              "groups().report(generation, rank, watermark)",
              "groups().report(standings().stream().map(GroupStanding::generation)"
                  + ".filter(one -> one.group().equals(generation.group()) && rank <"
                  + " one.worldSize())"
                  + ".findFirst().orElse(generation), rank, watermark)"),
          new Mutant(
              "orphans are judged without epochs",
              "I5",
              "lifecycle.Orphans",
              "return entry == null",
              "return true || entry == null"),
          new Mutant(
              "the head is read before data is listed",
              "I5",
              "lifecycle.Orphans",
              "CheckedHead<Manifest> after = log.heads().find(before.version());",
              "CheckedHead<Manifest> after = before;"),
          new Mutant(
              "data goes with the version that named it",
              "I5",
              "lifecycle.Reclaimer",
              """
                  for (long step = first; step < firstStep; step++) {
                    locator.trimmedDescriptor(step)\
              """,
              """
                  for (long step = first; step < header.nextStep(); step++) {
                    locator.trimmedDescriptor(step)
                        .filter(it -> it.version() <= head.version() - settings.versionsKept())\
              """),
          new Mutant(
              "nothing is sealed, and tails have no bound",
              "I6",
              List.of(
                  new Mutant.Edit("commit.Relief", "return isDue ?", "return 0 > 1 ?"),
                  new Mutant.Edit(
                      "commit.PublishChange",
                      "int room = FormatLimits.TAIL_STEPS_MAX - base.tailSteps();",
                      "int room = FormatLimits.TAIL_STEPS_MAX;"),
                  new Mutant.Edit(
                      "format.ManifestHeader",
                      "nextStep - tailFirst > FormatLimits.TAIL_STEPS_MAX",
                      "nextStep < tailFirst"))),
          new Mutant(
              "overtaken starts stay",
              "I7",
              "lifecycle.Reclaimer",
              "remove(GroupListing.read(log, GroupNames.GROUPS).overtaken());",
              ""),
          new Mutant(
              "manifests go before the boundary rises",
              "I1",
              "lifecycle.Reclaimer",
              "long dead = isLooking() ?",
              "remove(List.of(Names.manifest(target)));\n    long dead = isLooking() ?"));

  private static final List<Mutant> OF_FORKS =
      List.of(
          new Mutant(
              "a fork's pin is not granted",
              "promise",
              "lifecycle.Pins",
              "return add(new PinRecord(step, entropy.nextLong(), labelOf(place),"
                  + " Optional.of(fork)));",
              """
                  PinRecord record =
                      new PinRecord(step, entropy.nextLong(), labelOf(place), Optional.of(fork));
                  put(record);
                  return of(record);\
              """),
          new Mutant(
              "a fork's pin moves beyond what it needs",
              "promise",
              "lifecycle.Reclaimer",
              "isNeeded ? OptionalLong.of(firstStep)",
              "isNeeded ? OptionalLong.of(firstStep + 1)"),
          new Mutant(
              "producers stand in a fork where they stand in its source now",
              "I3",
              "lifecycle.ProducersAt",
              "if (entry.lastVersion() < version) {",
              "if (entry.lastVersion() < Long.MAX_VALUE) {"),
          new Mutant(
              "a fork of a fork knows only the latter",
              "I5",
              "lifecycle.Forker",
              "if (older.endStep() >= first) {",
              "if (older.endStep() < 0) {"));

  /** All of them. */
  public static final List<Mutant> ALL =
      Stream.of(OF_STREAMS, OF_LIFECYCLES, OF_FORKS).flatMap(List::stream).toList();

  private Mutants() {}

  /** The scenario whose seeds look for a bug. */
  static Scenario scenarioOf(Mutant mutant) {
    return OF_STREAMS.contains(mutant) ? Scenario.STREAM : Scenario.RECLAMATION;
  }
}
