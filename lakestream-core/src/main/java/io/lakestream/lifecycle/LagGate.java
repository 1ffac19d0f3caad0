// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import static java.lang.System.Logger.Level.WARNING;

import io.lakestream.commit.Term;
import io.lakestream.format.Manifest;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Promise;
import io.lakestream.policy.LagLimits;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Holds a producer back that would run too far ahead of the checkpoints or of the ranks (back
 * pressure). It looks at the stream only when what it allowed last time is used up. For use by one
 * thread, but for {@link #waitsFor}.
 */
public final class LagGate {
  private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);
  private static final System.Logger LOG = System.getLogger(LagGate.class.getName());

  private final ManifestLog log;
  private final Term term;
  private final LagLimits limits;
  private CheckedHead<Manifest> head;
  private long allowedBelow;
  private long pauseNanos = PAUSE_NANOS_MIN;
  private volatile Optional<String> waitsFor = Optional.empty();

  /**
   * A gate of a producer.
   *
   * @param head a head that has its term
   */
  public LagGate(ManifestLog log, Term term, LagLimits limits, CheckedHead<Manifest> head) {
    this.log = log;
    this.term = term;
    this.limits = limits;
    this.head = head;
    this.allowedBelow = limits.equals(LagLimits.NONE) ? Long.MAX_VALUE : 0;
  }

  /**
   * Whether the producer's batch of a seq may be written now.
   *
   * @throws io.lakestream.model.ProducerFenced if the producer's term has ended
   */
  public boolean isOpen(long seq) throws IOException {
    if (seq < allowedBelow) {
      return true;
    }
    head = log.heads().follow(head);
    long published = term.entryIn(head.manifest()).nextSeq();
    long end = head.manifest().header().nextStep() + seq - published;
    Promises promises = Promises.read(log);
    long needed = promises.firstNeeded(head.manifest());
    long read = promises.readByAll().orElse(needed);
    long room = Math.min(needed + capped(limits.lagMax()), read + capped(limits.leadMax())) - end;
    if (room > 0) {
      allowedBelow = seq + Math.max(1, room / head.manifest().producers().active().size());
      pauseNanos = PAUSE_NANOS_MIN;
      waitsFor = Optional.empty();
      return true;
    }
    say(reason(promises, needed, read, end));
    return false;
  }

  /** A limit that can be added to a step. */
  private static long capped(long limit) {
    return Math.min(limit, Long.MAX_VALUE / 4);
  }

  private String reason(Promises promises, long needed, long read, long end) {
    if (promises.all().isEmpty()) {
      return "nobody has reported a checkpoint or pinned a step; %d steps are there or on the way"
          .formatted(end);
    }
    if (end < needed + capped(limits.lagMax())) {
      return "the slowest rank has read to step %d, %d steps behind".formatted(read, end - read);
    }
    Promise lowest = promises.all().get(0);
    String why = "%s, %d steps behind".formatted(lowest, end - needed);
    boolean isAllRead = read >= head.manifest().header().nextStep();
    if (isAllRead && lowest.kind() == Promise.Kind.PIN) {
      return why + "; all ranks have read all there is: only removing that pin helps";
    }
    return isAllRead
        ? why
            + "; all ranks have read all there is: unless they save a checkpoint of what they read,"
            + " this never ends, and the limit is too low for the distance between checkpoints"
        : why;
  }

  private void say(String reason) {
    boolean isNew = waitsFor.isEmpty();
    waitsFor = Optional.of(reason);
    if (isNew) {
      LOG.log(
          WARNING, () -> "producer '%s' waits (%s): %s".formatted(term.producer(), limits, reason));
    }
  }

  /** How long to wait before asking again: longer each time. */
  public long nextPauseNanos() {
    long pause = pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
    return pause;
  }

  /** What the producer waits for at the moment, for people. Any thread. */
  public Optional<String> waitsFor() {
    return waitsFor;
  }
}
