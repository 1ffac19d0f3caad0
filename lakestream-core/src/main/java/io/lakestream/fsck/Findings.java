// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import io.lakestream.model.CheckReport.Note;
import io.lakestream.model.CheckReport.Problem;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.LakestreamException;
import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The problems and notes of a check.
 *
 * <p>Why a stream that is reclaimed meanwhile shows no false ones: what reclamation deletes, it
 * first declares dead, by a higher boundary or first step. So a problem counts only if its object
 * is not dead by what is read <i>after</i> it was found.
 */
final class Findings {
  /** Problems that are listed: more than anybody reads. */
  static final int PROBLEMS_MAX = 1_000;

  private final Meanwhile meanwhile;
  private final List<Candidate> candidates = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private long more;

  private record Candidate(Subject subject, String what) {}

  Findings(Meanwhile meanwhile) {
    this.meanwhile = meanwhile;
  }

  /** Something is wrong, unless its object turns out to be reclaimed. */
  void problem(Subject subject, String what) throws IOException {
    if (candidates.size() == PROBLEMS_MAX && more % PROBLEMS_MAX == 0) {
      dropReclaimed();
    }
    if (candidates.size() < PROBLEMS_MAX) {
      candidates.add(new Candidate(subject, what));
    } else if (!meanwhile.isReclaimed(subject)) {
      more++;
    }
  }

  /** Something is worth knowing. */
  void note(String what, List<String> examples) {
    notes.add(new Note(what, examples));
  }

  /** What gives a value out of the store, or nothing if the object is not there. */
  @FunctionalInterface
  interface Source<T> {
    Optional<T> find() throws IOException;
  }

  /**
   * The value of an object, or empty if it has none, which is a problem then.
   *
   * @throws IOException if the store fails, rather than the object
   */
  <T> Optional<T> expect(Subject subject, Source<T> source)
      throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("the check was interrupted");
    }
    try {
      Optional<T> value = source.find();
      if (value.isEmpty()) {
        problem(subject, "is missing");
      }
      return value;
    } catch (LakestreamException e) {
      problem(subject, what(subject, e));
    } catch (TransientStoreException | InterruptedIOException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      problem(subject, "cannot be read: " + e.getMessage());
    }
    return Optional.empty();
  }

  /** The message of an error, without the name of the object that stands beside it. */
  private static String what(Subject subject, LakestreamException failure) {
    String message = String.valueOf(failure.getMessage());
    String start = subject.object() + " ";
    boolean isNamed = failure instanceof CorruptObject && message.startsWith(start);
    return isNamed ? message.substring(start.length()) : message;
  }

  private void dropReclaimed() throws IOException {
    meanwhile.look();
    candidates.removeIf(candidate -> meanwhile.isReclaimed(candidate.subject()));
  }

  /** The problems that are none of reclamation's doing. */
  List<Problem> problems() throws IOException {
    if (!candidates.isEmpty()) {
      dropReclaimed();
    }
    List<Problem> problems = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Subject subject = candidate.subject();
      problems.add(new Problem(subject.invariant(), subject.object(), candidate.what()));
    }
    return problems;
  }

  /** Problems that are not listed. */
  long more() {
    return more;
  }

  /** What is worth knowing. */
  List<Note> notes() {
    return notes;
  }
}
