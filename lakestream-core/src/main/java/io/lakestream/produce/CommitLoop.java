// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.produce;

import io.lakestream.commit.CommitOutcome;
import io.lakestream.commit.Committer;
import io.lakestream.commit.LossPause;
import io.lakestream.commit.PublishChange;
import io.lakestream.commit.Term;
import io.lakestream.format.Descriptor;
import io.lakestream.format.FormatLimits;
import io.lakestream.model.Publication;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.Schema;
import io.lakestream.policy.CommitPolicy;
import io.lakestream.policy.ProducerSettings.SchemaChange;
import io.lakestream.runtime.Environment;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Publishes durable batches when the policy says so: the loop of Algorithm 1 of the paper, with the
 * writing of batches in threads of their own. Run by one thread.
 */
public final class CommitLoop {
  private final Pipeline pipeline;
  private final Committer committer;
  private final Term term;
  private final Environment environment;
  private final SchemaChange schemaChange;
  private final PublicationListener listener;
  private CommitPolicy policy;
  private long lastAttemptNanos;
  private int lostInARow;
  private long stepAsideNanos;

  public CommitLoop(
      Pipeline pipeline,
      Committer committer,
      Term term,
      Environment environment,
      CommitPolicy policy,
      SchemaChange schemaChange,
      PublicationListener listener) {
    this.pipeline = pipeline;
    this.committer = committer;
    this.term = term;
    this.environment = environment;
    this.policy = policy;
    this.schemaChange = schemaChange;
    this.listener = listener;
    this.lastAttemptNanos = environment.clock().nanoTime();
  }

  /** Publishes until the pipeline stops. */
  public void run() throws IOException, InterruptedException {
    Pipeline.Ready ready = pipeline.awaitReady();
    while (!ready.tgbs().isEmpty()) {
      long since = environment.clock().nanoTime() - lastAttemptNanos;
      long wait = ready.isDraining() ? 0 : policyWaitNanos(ready, since);
      if (since < stepAsideNanos) {
        pipeline.pause(stepAsideNanos - since);
      } else if (wait > 0) {
        pipeline.awaitDue(wait, ready.tgbs().size());
      } else {
        attempt(ready);
      }
      ready = pipeline.awaitReady();
    }
  }

  private long policyWaitNanos(Pipeline.Ready ready, long since) {
    long wait = policy.waitNanos(ready.tgbs().size(), since);
    return wait == CommitPolicy.UNTIL_MORE && ready.isFull() ? 0 : wait;
  }

  private void attempt(Pipeline.Ready ready) throws IOException, InterruptedException {
    int count = Math.min(ready.tgbs().size(), FormatLimits.TAIL_STEPS_MAX);
    List<PendingTgb> tgbs = ready.tgbs().subList(0, count);
    List<Descriptor> descriptors = tgbs.stream().map(tgb -> tgb.descriptor(term)).toList();
    PublishChange change =
        new PublishChange(
            committer.newCommitId(), term, descriptors, schemasOf(tgbs), schemaChange);
    CommitOutcome outcome = committer.attempt(change);
    long nextSeq = term.entryIn(outcome.head().manifest()).nextSeq();
    learn(outcome, nextSeq > descriptors.get(0).seq());
    lastAttemptNanos = environment.clock().nanoTime();
    // Told first: whoever waits for a flush may rely on the listener knowing.
    tell(outcome.head().version(), nextSeq);
    pipeline.attempted(nextSeq, outcome);
    committer.leaveHint();
  }

  /** Each schema once, in the order in which batches last have it. */
  private static List<Schema> schemasOf(List<PendingTgb> tgbs) {
    LinkedHashSet<Schema> schemas = new LinkedHashSet<>();
    for (PendingTgb tgb : tgbs) {
      boolean unused = schemas.remove(tgb.schema());
      schemas.add(tgb.schema());
    }
    return List.copyOf(schemas);
  }

  private void learn(CommitOutcome outcome, boolean isPublished) {
    lostInARow = isPublished ? 0 : lostInARow + 1;
    // Even if somebody waits and no policy's gap counts.
    stepAsideNanos =
        LossPause.nanos(
            lostInARow, outcome.fragileWindowNanos(), environment.entropy().nextDouble());
    if (!(outcome instanceof CommitOutcome.Deferred)) {
      policy = policy.after(observed(outcome, isPublished));
    }
  }

  private void tell(long version, long nextSeq) {
    for (PendingTgb tgb : pipeline.unpublishedBelow(nextSeq)) {
      listener.published(
          new Publication(
              tgb.seq(), version, tgb.sliceBytes(), lastAttemptNanos - tgb.writtenNanos()));
    }
  }

  private CommitPolicy.Attempt observed(CommitOutcome outcome, boolean isPublished) {
    return new CommitPolicy.Attempt(
        outcome.fragileWindowNanos(),
        isPublished,
        outcome.head().manifest().producers().active().size(),
        environment.entropy().nextDouble());
  }
}
