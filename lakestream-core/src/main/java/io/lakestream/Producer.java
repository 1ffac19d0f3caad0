// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import io.lakestream.commit.Committer;
import io.lakestream.commit.RetireChange;
import io.lakestream.commit.SchemaGate;
import io.lakestream.commit.SealChange;
import io.lakestream.commit.Term;
import io.lakestream.format.Descriptor;
import io.lakestream.format.Footer;
import io.lakestream.format.Names;
import io.lakestream.format.TgbImage;
import io.lakestream.lifecycle.LagGate;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.ProducerMetrics;
import io.lakestream.model.PublicationListener;
import io.lakestream.model.SealMode;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.Tgb;
import io.lakestream.policy.CommitSettings;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.produce.CommitLoop;
import io.lakestream.produce.PendingTgb;
import io.lakestream.produce.Pipeline;
import io.lakestream.produce.Uploader;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Tasks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes global batches to a stream, each exactly once over all its lives.
 *
 * <p>A batch travels from {@link #write} through an upload to the manifest version that makes it a
 * step; writing never waits for a commit, only for the limits of the {@link ProducerSettings}.
 * Batches become steps in the order in which they were written. Whoever opens the same id later
 * goes on behind the last batch that became a step, at {@link #recoveredOffset}; this producer is
 * fenced from then on.
 *
 * <p>A failure of a background thread is thrown by the next call. All that was not published then
 * is written again by the next opening, from its recovered offset. For use by one thread.
 */
public final class Producer implements AutoCloseable {
  private final ManifestLog log;
  private final Mesh mesh;
  private final Environment environment;
  private final CommitSettings commitSettings;
  private Committer committer;
  private final Term term;
  private final Optional<String> recoveredOffset;
  private final long recoveredTgbs;
  private final Pipeline pipeline;
  private final LagGate gate;
  private final List<Tasks.Task> tasks = new ArrayList<>();
  private SchemaGate schemaGate;
  private long nextSeq;
  private boolean isClosed;

  private Producer(
      ManifestLog log,
      Mesh mesh,
      Environment environment,
      ProducerSettings settings,
      Committer committer,
      Committer.Opening opening) {
    this.log = log;
    this.mesh = mesh;
    this.environment = environment;
    this.commitSettings = settings.commit();
    this.committer = committer;
    this.term = opening.term();
    this.recoveredOffset = opening.entry().offset();
    this.recoveredTgbs = opening.entry().nextSeq();
    this.nextSeq = recoveredTgbs;
    this.schemaGate =
        new SchemaGate(
            settings.schemaChange(), committer.head().manifest().tables().newestSchema());
    this.pipeline = new Pipeline(environment.tasks().monitor(), settings);
    this.gate = new LagGate(log, term, settings.limits(), committer.head());
  }

  /**
   * Opens a producer, fencing any earlier process of the same id.
   *
   * @throws InvalidRequest if the id is empty or too long
   * @throws io.lakestream.model.StreamSealed if the stream takes no more batches
   * @throws CommitUnknown if the store does not say whether the opening took effect; open again
   * @throws io.lakestream.model.CommitContended if too many others were opening or committing
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails
   */
  static Producer open(
      ManifestLog log,
      Mesh mesh,
      String id,
      ProducerSettings settings,
      PublicationListener listener,
      Environment environment)
      throws InterruptedException {
    String unused = Names.escape(id);
    try {
      Committer committer = new Committer(log, environment, settings.commit());
      Committer.Opening opening = committer.open(id);
      Producer producer = new Producer(log, mesh, environment, settings, committer, opening);
      producer.start(settings, opening.fragileWindowNanos(), listener);
      return producer;
    } catch (IOException e) {
      throw new StoreUnavailable(
          "producer '%s' could not be opened: %s".formatted(id, e.getMessage()), e);
    }
  }

  private void start(ProducerSettings settings, long tauNanos, PublicationListener listener) {
    Uploader uploader =
        new Uploader(log.store(), term, environment.entropy(), settings.partBytes());
    CommitLoop loop =
        new CommitLoop(
            pipeline,
            committer,
            term,
            environment,
            settings.policy().start(tauNanos),
            settings.schemaChange(),
            listener);
    for (int i = 0; i < settings.uploadsInFlightMax(); i++) {
      startTask("upload-" + i, () -> uploadAll(uploader));
    }
    startTask("commit", loop::run);
  }

  /** The body of a background thread. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private void startTask(String name, Work work) {
    Runnable body =
        () -> {
          try {
            work.run();
          } catch (InterruptedException e) {
            pipeline.fail(new InterruptedIOException("thread " + name + " was interrupted"));
          } catch (IOException | RuntimeException | Error e) {
            pipeline.fail(e);
          }
        };
    tasks.add(environment.tasks().start("lakestream-" + term.producer() + "-" + name, body));
  }

  private void uploadAll(Uploader uploader) throws IOException, InterruptedException {
    List<PendingTgb> tgbs = pipeline.takeUpload();
    while (!tgbs.isEmpty()) {
      Uploader.Result result = uploader.upload(tgbs);
      pipeline.uploaded(result.durable(), result.objects());
      tgbs = pipeline.takeUpload();
    }
  }

  /** The producer's id. */
  public String id() {
    return term.producer();
  }

  /** The producer's term. */
  public long epoch() {
    return term.epoch();
  }

  /** The offset of the last batch that earlier lives of the producer published, if any did. */
  public Optional<String> recoveredOffset() {
    return recoveredOffset;
  }

  /** How many batches earlier lives of the producer published. */
  public long recoveredTgbs() {
    return recoveredTgbs;
  }

  /**
   * Adds a batch to the stream. Returns once the batch is on its way, after waiting for room if the
   * limits are reached (see {@link #waitsFor}); {@link #flush} waits for its publication. The
   * memory behind the batch's buffers must not change before that: a reader would find the bytes
   * corrupt.
   *
   * @param offset the position in the producer's input after this batch, at most 64 bytes in UTF-8:
   *     what {@link #recoveredOffset} returns to the producer's next life
   * @throws InvalidRequest if the batch was made for another mesh, is of another kind than the
   *     stream's batches (see {@link ProducerSettings.SchemaChange}), or the offset is too long;
   *     the producer goes on. If others turned the stream to batches of another kind since the
   *     producer was opened, it fails instead, and publishes no more
   * @throws io.lakestream.model.LakestreamException if the producer failed before
   */
  public void write(Tgb tgb, String offset) throws InterruptedException {
    requireOpen();
    Objects.requireNonNull(offset, "offset");
    if (!Objects.requireNonNull(tgb, "tgb").mesh().equals(mesh)) {
      throw new InvalidRequest(
          "the batch was made for a %s mesh, with slices (0,0) to %s; the stream has %s, to %s"
              .formatted(tgb.mesh(), last(tgb.mesh()), mesh, last(mesh)));
    }
    Descriptor.checkOffset(offset);
    awaitGate();
    pipeline.awaitRoom(tgb.bytes() + tgb.provenance().map(ByteBuffer::remaining).orElse(0));
    // Behind the wait, which throws what the producer failed of: that says more.
    SchemaGate nextGate = schemaGate.admit(tgb.schema());
    long writtenNanos = environment.clock().nanoTime();
    Footer.Stamp stamp = new Footer.Stamp(term.producer(), term.epoch(), nextSeq, offset);
    TgbImage image = TgbImage.encode(log.namespace(), tgb, stamp);
    pipeline.add(new PendingTgb(nextSeq, offset, tgb, image, writtenNanos));
    schemaGate = nextGate;
    nextSeq++;
  }

  /** A producer that failed goes on to where that is thrown. */
  private void awaitGate() throws InterruptedException {
    try {
      while (!gate.isOpen(nextSeq) && !pipeline.isFailed()) {
        pipeline.holdBack(gate.nextPauseNanos());
      }
    } catch (IOException e) {
      throw new StoreUnavailable(
          "how far the stream is ahead could not be seen: " + e.getMessage(), e);
    }
  }

  /**
   * What a {@link #write} waits for that is held back by the {@link
   * io.lakestream.policy.LagLimits}, for people: whose checkpoint. Empty if none is. Any thread.
   */
  public Optional<String> waitsFor() {
    return gate.waitsFor();
  }

  private static String last(Mesh mesh) {
    return mesh.cell(mesh.cells() - 1).toString();
  }

  /**
   * Waits until every batch written so far is a step of the stream.
   *
   * @throws io.lakestream.model.LakestreamException if the producer failed: it was fenced, the
   *     stream was sealed, or the store failed
   * @throws RuntimeException what the listener threw, if it did
   */
  public void flush() throws InterruptedException {
    requireOpen();
    pipeline.flush();
  }

  /** What the producer did so far. */
  public ProducerMetrics metrics() {
    return pipeline.metrics();
  }

  /**
   * Publishes what was written, gives the stream its end behind it, and closes the producer.
   *
   * @throws InvalidRequest if another producer is active and {@code mode} does not force it; the
   *     producer goes on
   * @throws io.lakestream.model.ProducerFenced if another process has opened the same id
   * @throws CommitUnknown if the store does not say whether the stream was sealed; seal again
   * @throws io.lakestream.model.CommitContended if too many others were committing
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails; the producer goes on
   * @throws io.lakestream.model.LakestreamException if the producer failed before
   */
  public void seal(SealMode mode) throws InterruptedException {
    flush();
    try {
      // A flush does not wait for the commit loop's last hint, so that committer is not at rest.
      Committer sealing = new Committer(log, environment, commitSettings, committer.head());
      var unused = sealing.commit(new SealChange(sealing.newCommitId(), Optional.of(term), mode));
      committer = sealing;
    } catch (IOException e) {
      throw new StoreUnavailable("the stream could not be sealed: " + e.getMessage(), e);
    }
    close();
  }

  /**
   * Publishes what was written, ends the producer's term and joins its threads. Closing again does
   * nothing. A producer that failed is only taken down; the failure is thrown unless a call threw
   * it before.
   *
   * @throws CommitUnknown if the thread is interrupted while batches are being published, or the
   *     store does not say whether the term ended
   * @throws io.lakestream.model.CommitContended if too many others were committing
   * @throws io.lakestream.model.CorruptObject if the stream's metadata is damaged
   * @throws io.lakestream.model.DataLoss if an object of it is missing
   * @throws StoreUnavailable if the store fails; what was flushed before is published
   * @throws io.lakestream.model.LakestreamException if the producer failed, unless a call said so
   */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      if (!pipeline.isFailed()) {
        pipeline.flush();
        pipeline.stop();
        joinTasks();
        var unused = committer.commit(new RetireChange(committer.newCommitId(), term));
        committer.leaveLastHint();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommitUnknown(
          "closing producer '%s' was interrupted; open it again to learn what was published"
              .formatted(id()));
    } catch (IOException e) {
      throw new StoreUnavailable(
          "producer '%s' could not be retired: %s".formatted(id(), e.getMessage()), e);
    } finally {
      abandonTasks();
    }
    pipeline.throwUnreportedFailure();
  }

  /** Ends threads that are still there; what they were doing is found out by the next opening. */
  private void abandonTasks() {
    pipeline.stop();
    tasks.forEach(Tasks.Task::interrupt);
    try {
      joinTasks();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void joinTasks() throws InterruptedException {
    for (Tasks.Task task : tasks) {
      task.join();
    }
    tasks.clear();
  }

  private void requireOpen() {
    if (isClosed) {
      throw new InvalidRequest("producer '%s' is closed".formatted(id()));
    }
  }
}
