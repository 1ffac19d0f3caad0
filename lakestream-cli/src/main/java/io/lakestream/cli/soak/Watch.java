// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.cli.CommandFailed;
import io.lakestream.model.Cursor;
import io.lakestream.model.Pin;
import io.lakestream.model.StepReclaimed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Watches over what is reclaimed: the first step of the stream must be at or below every job's last
 * complete checkpoint and below a pin that is set now and then, as a trainer keeps single
 * checkpoints.
 *
 * <p>Reading the first step before the checkpoints makes the comparison fair: checkpoints only move
 * on, and no rank reports one before it is saved. For use by one thread.
 */
final class Watch {
  /** Short enough for the pin not to hold back producers for long. */
  private static final long PIN_NANOS = 5_000_000_000L;

  private static final String LABEL = "soak";

  private final Namespace stream;
  private final StreamView view;
  private StreamView.Summary summary;
  private Optional<Pin> pin = Optional.empty();
  private long pinnedNanos = System.nanoTime();

  Watch(Namespace stream) {
    this.stream = stream;
    this.view = stream.view();
    this.summary = view.summary();
  }

  /** The stream as it was when it was last looked at. */
  StreamView.Summary summary() {
    return summary;
  }

  /**
   * Looks at the stream.
   *
   * @return where each job can resume
   * @throws CommandFailed if a step was reclaimed that a job or the pin needs
   */
  Map<String, Long> look(List<Job> jobs) {
    if (view.refresh()) {
      summary = view.summary();
    }
    Map<String, Long> promises = new TreeMap<>();
    for (Job job : jobs) {
      promises.put(job.group(), job.resumption().step());
    }
    Map<String, Long> all = new TreeMap<>(promises);
    pin.ifPresent(held -> all.put("pin " + held.name(), held.step()));
    requireKept(summary.firstStep(), all);
    return promises;
  }

  /** Fails if the stream begins behind a step that somebody may resume from. */
  static void requireKept(long firstStep, Map<String, Long> promises) {
    promises.forEach(
        (holder, step) -> {
          if (firstStep > step) {
            throw new CommandFailed(
                "the stream begins at step %d, but %s resumes from step %d: steps were reclaimed"
                        .formatted(firstStep, holder, step)
                    + " that a promise held");
          }
        });
  }

  /** Moves the pin to the lowest checkpoint from time to time. */
  void movePin(List<Job> jobs) throws InterruptedException {
    if (System.nanoTime() - pinnedNanos > PIN_NANOS) {
      pinnedNanos = System.nanoTime();
      pinNow(jobs);
    }
  }

  /** Pins the lowest checkpoint in place of what was pinned before. */
  private void pinNow(List<Job> jobs) throws InterruptedException {
    long step = jobs.stream().map(Job::resumption).mapToLong(Cursor::step).min().orElseThrow();
    Pin moved;
    try {
      moved = Requests.repeat(() -> stream.lifecycle().pin(step, LABEL));
    } catch (StepReclaimed e) {
      return; // All jobs have saved and reported later ones meanwhile; the old pin stays.
    }
    pin = Optional.of(moved);
    long unused = Requests.repeat(() -> unpinOthers(moved));
  }

  /** Takes back the pin before, and what was pinned without our being told. */
  private long unpinOthers(Pin kept) {
    return stream.lifecycle().pinned().stream()
        .filter(other -> other.label().equals(LABEL) && !other.name().equals(kept.name()))
        .filter(other -> stream.lifecycle().unpin(other.name()))
        .count();
  }

  /** Makes sure that something is left in the end to be read again. */
  void keepPin(List<Job> jobs) throws InterruptedException {
    for (int i = 0; i < 10 && pin.isEmpty(); i++) {
      pinNow(jobs);
    }
  }
}
