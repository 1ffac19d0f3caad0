// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import io.lakestream.model.InvalidRequest;

/**
 * Settings of reclamation.
 *
 * @param versionsKept how many of the newest manifest versions stay. Readers and writers that are
 *     slower are safe all the same, but have to look for the head anew.
 * @param versionsIdle how many versions may follow a producer's last commit before its term is
 *     ended as that of one that died; {@link #NEVER} to leave it to operators
 * @param orphans whether to look for what crashed producers left, which lists all data
 * @param mode whether to delete
 */
public record ReclaimSettings(long versionsKept, long versionsIdle, Orphans orphans, Mode mode) {

  /** So many versions that no producer is ever idle. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Many hours at a few commits a second, so no producer that is only slow is fenced. */
  private static final long VERSIONS_IDLE = 100_000;

  /** What to do about objects that were never published. */
  public enum Orphans {
    /** Find and delete them. */
    DELETE,

    /** Do not look for them. */
    LEAVE
  }

  /** Whether to change anything. */
  public enum Mode {
    /** Delete. */
    DELETE,

    /** Only count what would be deleted. */
    LOOK
  }

  /** A thousand versions stay, orphans go, and producers that 100,000 versions passed retire. */
  public static final ReclaimSettings DEFAULT =
      new ReclaimSettings(1_000, VERSIONS_IDLE, Orphans.DELETE, Mode.DELETE);

  public ReclaimSettings {
    if (versionsKept < 1) {
      throw new InvalidRequest(
          "reclamation keeps at least 1 version, the newest, not %d".formatted(versionsKept));
    }
    if (versionsIdle < 1) {
      throw new InvalidRequest(
          "a producer is idle when at least 1 version followed its last commit, not %d"
              .formatted(versionsIdle));
    }
  }

  /** These settings with another number of versions. */
  public ReclaimSettings keeping(long versions) {
    return new ReclaimSettings(versions, versionsIdle, orphans, mode);
  }

  /** These settings with producers retired that so many versions passed, or {@link #NEVER}. */
  public ReclaimSettings retiringAfter(long versions) {
    return new ReclaimSettings(versionsKept, versions, orphans, mode);
  }

  /** These settings with other orphans. */
  public ReclaimSettings with(Orphans others) {
    return new ReclaimSettings(versionsKept, versionsIdle, others, mode);
  }

  /** These settings in another mode. */
  public ReclaimSettings in(Mode other) {
    return new ReclaimSettings(versionsKept, versionsIdle, orphans, other);
  }
}
