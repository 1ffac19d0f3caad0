// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import io.lakestream.model.InvalidRequest;

/**
 * Settings of reclamation.
 *
 * @param versionsKept how many of the newest manifest versions stay. Readers and writers that are
 *     slower are safe all the same, but have to look for the head anew.
 * @param orphans whether to look for what crashed producers left, which lists all data
 * @param mode whether to delete
 */
public record ReclaimSettings(long versionsKept, Orphans orphans, Mode mode) {

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

  /** A thousand versions stay, orphans go. */
  public static final ReclaimSettings DEFAULT =
      new ReclaimSettings(1_000, Orphans.DELETE, Mode.DELETE);

  public ReclaimSettings {
    if (versionsKept < 1) {
      throw new InvalidRequest(
          "reclamation keeps at least 1 version, the newest, not %d".formatted(versionsKept));
    }
  }

  /** These settings with another number of versions. */
  public ReclaimSettings keeping(long versions) {
    return new ReclaimSettings(versions, orphans, mode);
  }

  /** These settings with other orphans. */
  public ReclaimSettings with(Orphans others) {
    return new ReclaimSettings(versionsKept, others, mode);
  }

  /** These settings in another mode. */
  public ReclaimSettings in(Mode other) {
    return new ReclaimSettings(versionsKept, orphans, other);
  }
}
