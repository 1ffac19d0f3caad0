// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

import java.util.List;

/** The bugs that are planted. Each was, somewhere, somebody's real one. */
public final class Mutants {
  /** All of them. */
  public static final List<Mutant> ALL =
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
              "chunks that grow are kept",
              "I4",
              "manifest.StepLocator",
              "b.endStep() <= tailFirst || isPartial(b)",
              "b.endStep() <= tailFirst && isPartial(b)"),
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
              "boundary lowered by the slower reclaimer",
              "I9",
              "manifest.BoundaryChain",
              "i < RAISES_MAX && newest.version() < version; i++",
              "i < 1; i++"));

  private Mutants() {}
}
