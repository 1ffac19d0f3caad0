// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.policy;

import io.lakestream.model.InvalidRequest;

/**
 * Bounds of committing.
 *
 * @param unknownMillisMax how long an unknown outcome is pursued before the caller is told
 * @param attemptsMax how many races a commit that must happen may lose before it gives up
 * @param hintMillis how much time passes between two hints of one committer
 */
public record CommitSettings(long unknownMillisMax, int attemptsMax, long hintMillis) {
  /**
   * A minute outlasts any request; ten thousand lost races mean that something else is wrong; one
   * hint a second costs little and is fresh enough.
   */
  public static final CommitSettings DEFAULT = new CommitSettings(60_000, 10_000, 1_000);

  public CommitSettings {
    if (unknownMillisMax < 0 || attemptsMax < 1 || hintMillis < 0) {
      throw new InvalidRequest(
          "commit settings are not negative: %d ms, %d attempts, %d ms"
              .formatted(unknownMillisMax, attemptsMax, hintMillis));
    }
  }
}
