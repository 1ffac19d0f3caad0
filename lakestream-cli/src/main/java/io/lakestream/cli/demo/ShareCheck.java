// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.cli.Units;
import io.lakestream.cli.process.Mismatches;
import io.lakestream.model.StepInfo;
import io.lakestream.text.ReplicaTokens;
import io.lakestream.text.TokenHash;
import java.util.List;

/**
 * Checks that one producer's batches hold the tokens of its share, each exactly once and in order,
 * with dense seqs and with the offsets that the packer gives.
 */
final class ShareCheck {
  private final ExpectedShare share;
  private final Mismatches mismatches;
  private final TokenHash hash = new TokenHash();
  private long nextSeq;
  private boolean isDiverged;

  ShareCheck(ExpectedShare share, Mismatches mismatches) {
    this.share = share;
    this.mismatches = mismatches;
  }

  /** Takes the producer's next step. */
  void accept(StepInfo step, List<ReplicaTokens> replicas) {
    if (step.seq() != nextSeq) {
      mismatches.add(
          "step %d is %s's seq %d, its seq %d should come next"
              .formatted(step.step(), share.producer(), step.seq(), nextSeq));
    }
    nextSeq = step.seq() + 1;
    hash.addBatch(replicas);
    if (step.seq() < 0 || step.seq() >= share.batches().size()) {
      mismatches.add(
          "step %d is %s's seq %d, but its share makes %s"
              .formatted(step.step(), share.producer(), step.seq(), batchesOfShare()));
      return;
    }
    compare(step, share.batches().get((int) step.seq()));
  }

  private void compare(StepInfo step, ExpectedShare.Expected expected) {
    if (!step.offset().equals(expected.offset())) {
      mismatches.add(
          "step %d has offset %s, the packer gives %s for seq %d of %s"
              .formatted(
                  step.step(), step.offset(), expected.offset(), step.seq(), share.producer()));
    }
    // Once the running hash is wrong it stays wrong: the first step tells where.
    if (!isDiverged && !isMatching(expected)) {
      isDiverged = true;
      mismatches.add(
          "step %d has other tokens than the text of seq %d of %s (%d tokens so far, expected %d)"
              .formatted(
                  step.step(), step.seq(), share.producer(), hash.tokens(), expected.tokens()));
    }
  }

  private boolean isMatching(ExpectedShare.Expected expected) {
    return hash.tokens() == expected.tokens() && hash.hex().equals(expected.sha256());
  }

  /** Tells that the stream has ended. */
  void finish() {
    if (nextSeq != share.batches().size()) {
      mismatches.add(
          "%s has %s in the stream, its share makes %d"
              .formatted(share.producer(), Units.count(nextSeq, "batch"), share.batches().size()));
    }
    if (hash.tokens() != share.tokens() && !isDiverged) {
      mismatches.add(
          "%s has %s in the stream, its share has %d"
              .formatted(share.producer(), Units.count(hash.tokens(), "token"), share.tokens()));
    }
  }

  private String batchesOfShare() {
    return Units.count(share.batches().size(), "batch");
  }

  /** Tokens seen. */
  long tokens() {
    return hash.tokens();
  }
}
