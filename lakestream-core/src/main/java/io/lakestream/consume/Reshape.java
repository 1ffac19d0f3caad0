// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.consume;

import io.lakestream.format.ManifestHeader;
import io.lakestream.format.SkipSet;
import io.lakestream.model.Cursor;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.Topology;
import io.lakestream.policy.Remap;

/**
 * How a stream is dealt to a job of another mesh: pure, and the same on all ranks.
 *
 * <p>Replica d of step t of the stream has number t·D + d. A step of the job takes the next D′
 * numbers, one for each of its replicas. If D′ = k·D these are k steps of the stream; if D = k·D′,
 * a k-th of one. This is the paper's rule (§4.1), in both directions at once, and each number is
 * read exactly once. Only when rows are dealt is a step of the job one of the stream.
 *
 * @param remap the rule
 * @param written the mesh that the stream was written for
 * @param job the rank's place in its job
 * @param origin the step of the stream where the job began to read it: steps of the job that take
 *     several of the stream count from there
 */
public record Reshape(Remap remap, Mesh written, Topology job, long origin) {

  /** Refuses what no stream allows; a stream's content may forbid more. */
  public Reshape {
    if (remap == Remap.NONE && !written.equals(job.mesh())) {
      throw new InvalidRequest(
          ("the stream was written for a %s mesh, the job has %s (data × context parallel); a"
                  + " remap could keep the rank's batch or the global batch")
              .formatted(written, job.mesh()));
    }
    int from = written.dataParallel();
    int to = job.mesh().dataParallel();
    if (remap == Remap.KEEP_RANK_BATCH && from % to != 0 && to % from != 0) {
      throw new InvalidRequest(
          ("the batch of a rank cannot be kept from %d replicas to %d: one number has to divide the"
                  + " other; keep the global batch instead")
              .formatted(from, to));
    }
  }

  /** Whether the job reads slices as they were written. */
  public boolean isWhole() {
    return !dealsRows() && !cutsContext();
  }

  /** Whether rows are dealt anew, over another number of replicas. */
  boolean dealsRows() {
    return remap == Remap.KEEP_GLOBAL_BATCH && from() != to();
  }

  /** Whether parts of the sequence are joined or cut. */
  boolean cutsContext() {
    return written.contextParallel() != job.mesh().contextParallel();
  }

  private int from() {
    return written.dataParallel();
  }

  private int to() {
    return job.mesh().dataParallel();
  }

  /** Where the step behind the one at {@code at} begins. */
  Position next(Position at) {
    return dealsRows() ? new Position(at.step() + 1, 0) : advance(at, to());
  }

  /** The last step of the stream that the job's step at {@code at} needs on any rank. */
  long lastTgb(Position at) {
    return dealsRows() ? at.step() : advance(at, to() - 1).step();
  }

  /** The step of the stream that this rank reads from. */
  long tgb(Position at) {
    return dealsRows() ? at.step() : advance(at, job.cell().d()).step();
  }

  /** The replica that this rank reads, unless rows are dealt. */
  int replica(Position at) {
    return advance(at, job.cell().d()).part();
  }

  private Position advance(Position at, int slices) {
    int number = at.part() + slices;
    return new Position(at.step() + number / from(), number % from());
  }

  /** Steps of the stream that a step of the job takes, at least in part. */
  private long stepsTaken() {
    return dealsRows() ? 1 : Math.max(1, to() / from());
  }

  /**
   * Refuses to skip a part of a step of the job, which would shift all steps after it.
   *
   * @param from where the job goes on; what lies before does not matter
   * @param header the head: at a sealed end a step that lacks some is none anyway
   */
  public void requireWholeSteps(SkipSet skips, long from, ManifestHeader header) {
    long taken = stepsTaken();
    for (SkipSet.Run run : skips.runs()) {
      long before = run.first() <= from ? 0 : Math.floorMod(run.first() - origin, taken);
      boolean isLast = header.isSealed() && run.end() >= header.nextStep();
      long behind = run.end() <= from || isLast ? 0 : Math.floorMod(origin - run.end(), taken);
      if (run.end() > from && before + behind > 0) {
        throw new InvalidRequest(
            ("steps %d to %d are skipped, but a step of a %s job takes %d steps of this stream,"
                    + " counted from step %d; skip steps %d to %d and start the job anew, or read"
                    + " with another mesh")
                .formatted(
                    run.first(),
                    run.end() - 1,
                    job.mesh(),
                    taken,
                    origin,
                    run.first() - before,
                    run.end() + behind - 1));
      }
    }
  }

  /**
   * Where a cursor stands.
   *
   * @throws InvalidRequest if no step of the job begins there, which the message answers with the
   *     last place before it where one does
   */
  public Position start(Cursor cursor) {
    int unit = dealsRows() ? from() : Math.min(from(), to());
    long steps = stepsTaken();
    long excessSteps = Math.floorMod(cursor.step() - origin, steps);
    int part = Math.min(cursor.part(), from() - 1);
    int lastPart = excessSteps == 0 ? part - part % unit : 0;
    Position last = new Position(cursor.step() - excessSteps, lastPart);
    Position wanted = new Position(cursor.step(), cursor.part());
    if (wanted.equals(last)) {
      return wanted;
    }
    String place =
        last.step() >= 0
            ? "the last place where one does is " + last
            : "the first place where one does is step " + (last.step() + steps);
    throw new InvalidRequest(
        "the cursor stands at %s, where no step of a %s job on a stream of %s begins; %s"
            .formatted(wanted, job.mesh(), written, place));
  }
}
