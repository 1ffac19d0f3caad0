// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.proto.CommitKindMessage;
import io.lakestream.format.proto.ManifestHeaderMessage;
import java.util.Optional;

/**
 * The first section of a manifest: who committed the version, and the stream's extent in it.
 *
 * @param version the version, from 1
 * @param commitId whose version it is
 * @param kind why it was committed
 * @param committer the producer that committed it, or empty for an operator
 * @param epoch the producer's term
 * @param firstStep first step that is not trimmed
 * @param nextStep one past the last step
 * @param newSteps how many of the last steps this version added
 * @param tailFirst first step whose descriptor is in the tail
 * @param boundary newest boundary that the committer knew: a place to start looking, no proof
 * @param isSealed whether the stream has its end
 * @param trim a trim that was announced, if any
 * @param extra fields of a newer minor version, kept as they are
 */
public record ManifestHeader(
    long version,
    Id128 commitId,
    CommitKind kind,
    String committer,
    long epoch,
    long firstStep,
    long nextStep,
    long newSteps,
    long tailFirst,
    Boundary boundary,
    boolean isSealed,
    Optional<TrimIntent> trim,
    UnknownFieldSet extra) {

  /**
   * A trim that was announced: whoever promises a step below it takes it back first.
   *
   * @param step the first step that would stay
   * @param owner who announced it
   */
  public record TrimIntent(long step, Id128 owner) {
    public TrimIntent {
      if (step < 0) {
        throw new MalformedRecord("a trim to step " + step);
      }
    }
  }

  public ManifestHeader {
    boolean isNegative = version < 0 || epoch < 0 || firstStep < 0 || newSteps < 0 || tailFirst < 0;
    if (isNegative || firstStep > nextStep || tailFirst > nextStep || newSteps > nextStep) {
      throw new MalformedRecord(
          "version %d with steps %d to %d, tail from %d, %d new"
              .formatted(version, firstStep, nextStep, tailFirst, newSteps));
    }
    if (nextStep - tailFirst > FormatLimits.TAIL_STEPS_MAX
        || tailFirst % FormatLimits.SEGMENT_STEPS != 0) {
      throw new MalformedRecord("a tail of steps %d to %d".formatted(tailFirst, nextStep));
    }
  }

  /**
   * The header of a fork's first version.
   *
   * @param commitId a random id
   * @param firstStep first step that the fork has
   * @param nextStep the step from which it goes its own way
   * @param boundary the boundary below its first version
   */
  public static ManifestHeader ofFork(
      Id128 commitId, long firstStep, long nextStep, Boundary boundary) {
    return new ManifestHeader(
        boundary.version() + 1,
        commitId,
        CommitKind.FORK,
        "",
        0,
        firstStep,
        nextStep,
        0,
        nextStep - nextStep % FormatLimits.SEGMENT_STEPS,
        boundary,
        false,
        Optional.empty(),
        UnknownFieldSet.getDefaultInstance());
  }

  /**
   * The header of the next version.
   *
   * @param addedSteps how many steps the next version adds
   */
  public ManifestHeader successor(
      Id128 nextId,
      CommitKind nextKind,
      String nextCommitter,
      long nextEpoch,
      Boundary newestBoundary,
      int addedSteps) {
    return new ManifestHeader(
        version + 1,
        nextId,
        nextKind,
        nextCommitter,
        nextEpoch,
        firstStep,
        nextStep + addedSteps,
        addedSteps,
        tailFirst,
        newestBoundary,
        isSealed,
        trim,
        extra);
  }

  /** The header with a tail that starts later. */
  public ManifestHeader withTailFirst(long step) {
    return new ManifestHeader(
        version, commitId, kind, committer, epoch, firstStep, nextStep, newSteps, step, boundary,
        isSealed, trim, extra);
  }

  /** The header of a stream that starts at a later step. */
  public ManifestHeader withFirstStep(long step) {
    return new ManifestHeader(
        version, commitId, kind, committer, epoch, step, nextStep, newSteps, tailFirst, boundary,
        isSealed, trim, extra);
  }

  /** The header with an announced trim, or with none. */
  public ManifestHeader withTrim(Optional<TrimIntent> intent) {
    return new ManifestHeader(
        version, commitId, kind, committer, epoch, firstStep, nextStep, newSteps, tailFirst,
        boundary, isSealed, intent, extra);
  }

  /** The header of a stream that has its end. */
  public ManifestHeader sealed() {
    return new ManifestHeader(
        version, commitId, kind, committer, epoch, firstStep, nextStep, newSteps, tailFirst,
        boundary, true, trim, extra);
  }

  ManifestHeaderMessage toMessage() {
    ManifestHeaderMessage.Builder message =
        ManifestHeaderMessage.newBuilder()
            .setVersion(version)
            .setCommitId(ByteString.copyFrom(commitId.toBytes()))
            .setKind(toMessage(kind))
            .setCommitter(committer)
            .setEpoch(epoch)
            .setFirstStep(firstStep)
            .setNextStep(nextStep)
            .setNewSteps(newSteps)
            .setTailFirst(tailFirst)
            .setBoundaryIndex(boundary.index())
            .setBoundaryVersion(boundary.version())
            .setSealed(isSealed)
            .setUnknownFields(extra);
    trim.ifPresent(
        intent ->
            message
                .setTrimIntent(intent.step())
                .setTrimOwner(ByteString.copyFrom(intent.owner().toBytes())));
    return message.build();
  }

  static ManifestHeader fromMessage(String key, ManifestHeaderMessage message) {
    return new ManifestHeader(
        message.getVersion(),
        Id128.read(key, "its commit id", message.getCommitId()),
        fromMessage(message.getKind()),
        message.getCommitter(),
        message.getEpoch(),
        message.getFirstStep(),
        message.getNextStep(),
        message.getNewSteps(),
        message.getTailFirst(),
        new Boundary(message.getBoundaryIndex(), message.getBoundaryVersion()),
        message.getSealed(),
        trimIntent(key, message),
        message.getUnknownFields());
  }

  private static Optional<TrimIntent> trimIntent(String key, ManifestHeaderMessage message) {
    if (message.getTrimOwner().isEmpty() && message.getTrimIntent() == 0) {
      return Optional.empty();
    }
    Id128 owner = Id128.read(key, "the owner of its trim", message.getTrimOwner());
    return Optional.of(new TrimIntent(message.getTrimIntent(), owner));
  }

  private static CommitKindMessage toMessage(CommitKind kind) {
    return kind == CommitKind.OTHER
        ? CommitKindMessage.COMMIT_KIND_UNSPECIFIED
        : CommitKindMessage.valueOf("COMMIT_KIND_" + kind.name());
  }

  private static CommitKind fromMessage(CommitKindMessage kind) {
    return switch (kind) {
      case COMMIT_KIND_PUBLISH -> CommitKind.PUBLISH;
      case COMMIT_KIND_OPEN -> CommitKind.OPEN;
      case COMMIT_KIND_RETIRE -> CommitKind.RETIRE;
      case COMMIT_KIND_SEAL -> CommitKind.SEAL;
      case COMMIT_KIND_TRIM -> CommitKind.TRIM;
      case COMMIT_KIND_SKIP -> CommitKind.SKIP;
      case COMMIT_KIND_FORK -> CommitKind.FORK;
      case COMMIT_KIND_UNSPECIFIED, UNRECOGNIZED -> CommitKind.OTHER;
    };
  }
}
