// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench.commit;

/**
 * What was measured on one history.
 *
 * @param steps its length before the commits that were measured
 * @param commits how many commits were measured
 * @param commitMillisP50 median time of a commit in milliseconds
 * @param commitMillisP99 the time that 99 of 100 commits do not exceed
 * @param commitMillisMean mean time
 * @param commitBytes mean bytes put per commit, of everything that it put
 * @param headBytes length of the longest head
 * @param coldOpenRequests requests of opening the namespace and finding the head, with a hint 0 to
 *     4 versions old, the worst
 * @param staleVersions how old the hint was in a further, less lucky opening
 * @param staleOpenRequests requests of that opening
 * @param warmPollRequests requests of a look for news when there is none
 */
public record CommitFigure(
    long steps,
    int commits,
    double commitMillisP50,
    double commitMillisP99,
    double commitMillisMean,
    double commitBytes,
    long headBytes,
    long coldOpenRequests,
    long staleVersions,
    long staleOpenRequests,
    long warmPollRequests) {
  /** How old a hint may be for an opening to cost as little as with a fresh one. */
  public static final int FRESH_VERSIONS = 4;
}
