// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

import java.util.List;

/**
 * What a check of a whole namespace found. It is about the stream as it was when the check began:
 * what was written later is left aside, and what was reclaimed meanwhile is not missed.
 *
 * @param version the head that was judged, or 0 if there was none
 * @param boundary highest version that is dead, or 0
 * @param versions live versions that could be read
 * @param firstStep first step that is not trimmed
 * @param nextStep one past the last step
 * @param objects objects of the namespace, other than announcements, groups and pins
 * @param bytes their length in all
 * @param problems what is wrong, each with the object that it is about
 * @param moreProblems how many more there are than are listed
 * @param notes what is worth knowing and no problem
 */
public record CheckReport(
    long version,
    long boundary,
    long versions,
    long firstStep,
    long nextStep,
    long objects,
    long bytes,
    List<Problem> problems,
    long moreProblems,
    List<Note> notes) {

  /** How much of a stream a check reads. */
  public enum Depth {
    /** All metadata, and the lengths of the objects that hold batches. */
    METADATA,
    /** Every slice of every step too. */
    EVERY_BYTE
  }

  /** What holds of every namespace. */
  public enum Invariant {
    /** Manifest versions are contiguous above the boundary and can be read. */
    I1,
    /** Every acknowledged batch is in exactly one step. */
    I2,
    /** Per producer, batches are contiguous and epochs never fall along the steps. */
    I3,
    /** Any two readers see the same descriptor for a step, for ever. */
    I4,
    /** Whatever is referred to at or after the first step exists and has its checksum. */
    I5,
    /** A manifest is within its bound. */
    I6,
    /** A start of a job skips steps that there were, the same by every later version. */
    I8,
    /** The boundary and the first step never fall. */
    I9
  }

  /**
   * Something that is wrong.
   *
   * @param invariant what does not hold
   * @param object key of the object that shows it
   * @param what what is wrong with it, for people
   */
  public record Problem(Invariant invariant, String object, String what) {}

  /**
   * Something that is worth knowing and no problem.
   *
   * @param what what it is, for people
   * @param examples keys of a few objects that it is about
   */
  public record Note(String what, List<String> examples) {
    public Note {
      examples = List.copyOf(examples);
    }
  }

  /** Told how far a check is. */
  @FunctionalInterface
  public interface Listener {
    /**
     * So much of a part is done.
     *
     * @param part what is counted, such as {@code versions}
     * @param done how many are checked
     * @param total how many there are
     */
    void progress(String part, long done, long total);

    /** A listener that does nothing. */
    static Listener none() {
      return (part, done, total) -> {};
    }
  }

  public CheckReport {
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /** Whether all is well. */
  public boolean isOk() {
    return problems.isEmpty() && moreProblems == 0;
  }

  /** Steps of the stream. */
  public long steps() {
    return nextStep - firstStep;
  }
}
