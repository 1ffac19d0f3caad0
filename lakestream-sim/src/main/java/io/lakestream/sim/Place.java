// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import io.lakestream.model.Mesh;

/**
 * Where a step of a job begins, when the batch of a rank is kept and the number of replicas is not
 * (paper §4.1): the slices of all replicas of all steps are counted, and each step of the job takes
 * as many as the job has replicas. Reckoned apart from the product, which must agree.
 *
 * @param stream the mesh of the stream
 * @param job the mesh of the job
 * @param number the number of the first slice of the step
 */
record Place(Mesh stream, Mesh job, long number) {
  static Place of(Mesh stream, Mesh job, Cursor cursor) {
    return new Place(stream, job, cursor.step() * stream.dataParallel() + cursor.part());
  }

  /** The step of the stream that it is in. */
  long step() {
    return number / stream.dataParallel();
  }

  Place next() {
    return new Place(stream, job, number + job.dataParallel());
  }

  /** The place at a step of the stream, unless it is in that step already. */
  Place at(long step) {
    return step == step() ? this : new Place(stream, job, step * stream.dataParallel());
  }

  /** Whether a stream of some steps has all that the job's step takes. */
  boolean isWithin(long steps) {
    return (number + job.dataParallel() - 1) / stream.dataParallel() < steps;
  }

  /** The step of the stream that a rank reads. */
  long tgb(Cell rank) {
    return (number + rank.d()) / stream.dataParallel();
  }

  /** The slice of it that the rank reads. */
  Cell slice(Cell rank) {
    int replica = (int) ((number + rank.d()) % stream.dataParallel());
    return new Cell(replica, rank.c());
  }

  /** Whether a cursor stands here. */
  boolean isAt(Cursor cursor) {
    return cursor.step() == step() && cursor.part() == number % stream.dataParallel();
  }
}
