// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import io.lakestream.model.InvalidRequest;
import java.util.function.Consumer;

/**
 * Settings of a producer.
 *
 * @param policy when to commit
 * @param bytesInFlightMax bytes of batches that are written but not durable; one larger batch is
 *     let through alone
 * @param tgbsPendingMax batches that are written but not published
 * @param uploadsInFlightMax uploads at a time
 * @param bundleBytesMax up to how many bytes waiting batches share an object; 0 for one batch each
 * @param partBytes batches longer than this are cut over several objects
 * @param limits how far the producer may run ahead
 * @param commit bounds of committing
 * @param schemaChange whether batches may be of another kind than the stream has
 */
public record ProducerSettings(
    PolicyStart policy,
    long bytesInFlightMax,
    int tgbsPendingMax,
    int uploadsInFlightMax,
    long bundleBytesMax,
    long partBytes,
    LagLimits limits,
    CommitSettings commit,
    SchemaChange schemaChange) {

  /**
   * Whether a producer may turn a stream to batches of another kind: another content type, or
   * tensors of other names, element types, numbers of dimensions or kinds. Sizes may always differ:
   * a trainer finds them with each batch.
   */
  public enum SchemaChange {
    /** Such a batch is refused, where it is written and again where it would become a step. */
    REFUSED,

    /** Such a batch is published; trainers have to be ready for it. */
    ALLOWED
  }

  private static final long MIB = 1024 * 1024;

  /**
   * DAC; 256 MiB and 1,024 batches ahead; four uploads at a time; bundles up to 1 MiB, where the
   * cost of a request stops to matter; parts of 1 GiB, below every store's limit for a single put;
   * batches of one kind.
   */
  public static final ProducerSettings DEFAULT =
      new ProducerSettings(
          PolicyStart.dac(),
          256 * MIB,
          1_024,
          4,
          MIB,
          1_024 * MIB,
          LagLimits.NONE,
          CommitSettings.DEFAULT,
          SchemaChange.REFUSED);

  public ProducerSettings {
    require(bytesInFlightMax >= 1, "bytesInFlightMax", bytesInFlightMax);
    require(tgbsPendingMax >= 1, "tgbsPendingMax", tgbsPendingMax);
    require(
        uploadsInFlightMax >= 1 && uploadsInFlightMax <= 256,
        "uploadsInFlightMax",
        uploadsInFlightMax);
    require(bundleBytesMax >= 0, "bundleBytesMax", bundleBytesMax);
    require(partBytes >= 1024, "partBytes", partBytes);
  }

  private static void require(boolean isRight, String name, long value) {
    if (!isRight) {
      throw new InvalidRequest("producer setting %s cannot be %d".formatted(name, value));
    }
  }

  /** These settings with another policy. */
  public ProducerSettings withPolicy(PolicyStart newPolicy) {
    return with(draft -> draft.policy = newPolicy);
  }

  /** These settings with other limits on running ahead. */
  public ProducerSettings withLimits(LagLimits newLimits) {
    return with(draft -> draft.limits = newLimits);
  }

  /** These settings with another answer to batches of another kind. */
  public ProducerSettings withSchemaChange(SchemaChange newSchemaChange) {
    return with(draft -> draft.schemaChange = newSchemaChange);
  }

  /** These settings with other bounds on uploads. */
  public ProducerSettings withUploads(int uploads, long bytesInFlight, long bundleBytes) {
    return with(
        draft -> {
          draft.uploadsInFlightMax = uploads;
          draft.bytesInFlightMax = bytesInFlight;
          draft.bundleBytesMax = bundleBytes;
        });
  }

  /** These settings with up to so many batches that are written but not published. */
  public ProducerSettings withPending(int tgbs) {
    return with(draft -> draft.tgbsPendingMax = tgbs);
  }

  /** These settings with batches cut at another length. */
  public ProducerSettings withParts(long bytes) {
    return with(draft -> draft.partBytes = bytes);
  }

  /** These settings with other bounds on committing. */
  public ProducerSettings withCommit(CommitSettings newCommit) {
    return with(draft -> draft.commit = newCommit);
  }

  /** A copy of these settings, in which some are changed. */
  private final class Draft {
    private PolicyStart policy = ProducerSettings.this.policy;
    private long bytesInFlightMax = ProducerSettings.this.bytesInFlightMax;
    private int tgbsPendingMax = ProducerSettings.this.tgbsPendingMax;
    private int uploadsInFlightMax = ProducerSettings.this.uploadsInFlightMax;
    private long bundleBytesMax = ProducerSettings.this.bundleBytesMax;
    private long partBytes = ProducerSettings.this.partBytes;
    private LagLimits limits = ProducerSettings.this.limits;
    private CommitSettings commit = ProducerSettings.this.commit;
    private SchemaChange schemaChange = ProducerSettings.this.schemaChange;
  }

  private ProducerSettings with(Consumer<Draft> change) {
    Draft draft = new Draft();
    change.accept(draft);
    return new ProducerSettings(
        draft.policy,
        draft.bytesInFlightMax,
        draft.tgbsPendingMax,
        draft.uploadsInFlightMax,
        draft.bundleBytesMax,
        draft.partBytes,
        draft.limits,
        draft.commit,
        draft.schemaChange);
  }
}
