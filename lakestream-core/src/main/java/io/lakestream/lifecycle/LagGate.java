// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.lifecycle;

import io.lakestream.commit.Term;
import io.lakestream.format.Manifest;
import io.lakestream.manifest.CheckedHead;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.policy.LagLimits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Holds a producer back that would run too far ahead of the checkpoints or of the ranks (back
 * pressure). It looks at the stream only when what it allowed last time is used up. That a producer
 * waits is how it should be, so only long waits are logged, and warned of are those that last. For
 * use by one thread, but for {@link #waitsFor}.
 */
public final class LagGate {
  private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  /** Longer than it takes from what ranks have read to the report of its checkpoint, mostly. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final System.Logger LOG = System.getLogger(LagGate.class.getName());

  private final ManifestLog log;
  private final Term term;
  private final LagLimits limits;
  private final Set<Standstill.Outlook> logged = EnumSet.noneOf(Standstill.Outlook.class);
  private CheckedHead<Manifest> head;
  private long allowedBelow;
  private long pauseNanos = PAUSE_NANOS_MIN;
  private Standstill.Outlook outlook = Standstill.Outlook.PASSING;
  private long outlookNanos;
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
    long published = head.manifest().header().nextStep();
    long pending = seq - term.entryIn(head.manifest()).nextSeq();
    Promises promises = Promises.read(log);
    long needed = promises.firstNeeded(head.manifest());
    Lead lead = new Lead(needed, promises.readByAll().orElse(needed), published, pending);
    long share = lead.share(limits, head.manifest().producers().active().size());
    if (share == 0) {
      hold(Standstill.of(promises, lead, limits));
      return false;
    }
    letGo(seq + share);
    return true;
  }

  private void letGo(long below) {
    allowedBelow = below;
    pauseNanos = PAUSE_NANOS_MIN;
    outlook = Standstill.Outlook.PASSING;
    outlookNanos = 0;
    logged.clear();
    waitsFor = Optional.empty();
  }

  private void hold(Standstill standstill) {
    waitsFor = Optional.of(standstill.cause());
    if (standstill.outlook() != outlook) {
      outlook = standstill.outlook();
      outlookNanos = 0;
    }
    if (outlookNanos >= SILENT_NANOS && logged.add(outlook)) {
      Level level = outlook == Standstill.Outlook.LASTING ? Level.WARNING : Level.INFO;
      LOG.log(
          level,
          () ->
              "producer '%s' waits (%s): %s"
                  .formatted(term.producer(), limits, standstill.cause()));
    }
  }

  /** How long to wait before asking again: longer each time. */
  public long nextPauseNanos() {
    long pause = pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
    outlookNanos += pause;
    return pause;
  }

  /** What the producer waits for at the moment, for people. Any thread. */
  public Optional<String> waitsFor() {
    return waitsFor;
  }
}
