// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import io.lakestream.StreamView;
import io.lakestream.cli.process.Mismatches;
import io.lakestream.cli.process.RankCheck;
import io.lakestream.cli.process.RankLog;
import io.lakestream.cli.process.RankStep;
import io.lakestream.model.Cell;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.RankBatch;
import io.lakestream.model.StepInfo;
import io.lakestream.text.PackingSettings;
import io.lakestream.text.ReplicaTokens;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The judge. It believes neither writers nor ranks: it reads every slice of every step itself and
 * compares
 *
 * <ol>
 *   <li>the ranks' accounts with one another and with the stream ({@link RankCheck});
 *   <li>the tokens of each producer's batches with a plain encoding of its share of the input
 *       ({@link ShareCheck}).
 * </ol>
 *
 * Together they say that every token of the input came to every replica exactly once and in order,
 * whatever was killed.
 */
final class StreamCheck {
  private final StreamView view;
  private final PackingSettings packing;
  private final List<RankLog> ranks;
  private final List<Map<Long, RankStep>> told = new ArrayList<>();
  private final Map<String, ShareCheck> shares = new TreeMap<>();
  private final Mismatches mismatches = new Mismatches();
  private long bytes;

  /**
   * What was found.
   *
   * @param mismatches what is wrong; empty if all is well
   * @param steps steps of the stream
   * @param tokens tokens in them, padding excluded
   * @param bytes length of their slices
   */
  record Verdict(List<String> mismatches, long steps, long tokens, long bytes) {
    Verdict {
      mismatches = List.copyOf(mismatches);
    }

    boolean isPassed() {
      return mismatches.isEmpty();
    }
  }

  /**
   * Prepares to judge.
   *
   * @param ranks the accounts of all ranks in (d,c) order
   */
  StreamCheck(
      StreamView view, PackingSettings packing, List<ExpectedShare> shares, List<RankLog> ranks) {
    this.view = view;
    this.packing = packing;
    this.ranks = List.copyOf(ranks);
    for (ExpectedShare share : shares) {
      this.shares.put(share.producer(), new ShareCheck(share, mismatches));
    }
    for (RankLog rank : ranks) {
      Map<Long, RankStep> steps = new TreeMap<>();
      rank.steps().forEach(step -> steps.put(step.step(), step));
      told.add(steps);
    }
  }

  /** Reads and compares everything. */
  Verdict run() throws InterruptedException {
    StreamView.Summary stream = view.summary();
    if (!stream.isSealed() || stream.firstStep() != 0) {
      mismatches.add("the stream is not a sealed one from step 0: %s".formatted(stream));
    }
    ranks.forEach(rank -> new RankCheck(rank, mismatches).run(stream.nextStep()));
    checkAgreement();
    for (long step = stream.firstStep(); step < stream.nextStep(); step++) {
      // An interrupt makes reads fail, which must not pass for a finding.
      if (Thread.interrupted()) {
        throw new InterruptedException("the check was interrupted");
      }
      checkStep(step);
    }
    shares.values().forEach(ShareCheck::finish);
    long tokens = shares.values().stream().mapToLong(ShareCheck::tokens).sum();
    return new Verdict(mismatches.sentences(), stream.nextStep(), tokens, bytes);
  }

  private void checkAgreement() {
    String first = RankCheck.descriptorsSha256(ranks.get(0).steps());
    for (RankLog rank : ranks) {
      if (!RankCheck.descriptorsSha256(rank.steps()).equals(first)) {
        mismatches.add("%s saw other descriptors than %s".formatted(rank, ranks.get(0)));
      }
    }
  }

  private void checkStep(long number) {
    try {
      StepInfo step = view.step(number);
      List<RankBatch> slices = new ArrayList<>();
      for (int i = 0; i < packing.mesh().cells(); i++) {
        RankBatch slice = view.slice(number, packing.mesh().cell(i));
        checkTold(i, step, slice);
        slices.add(slice);
        bytes += slice.payload().remaining();
      }
      ShareCheck share = shares.get(step.producer());
      if (share == null) {
        mismatches.add(
            "step %d is by %s, which the demo did not start".formatted(number, step.producer()));
      } else {
        share.accept(step, replicas(slices));
      }
    } catch (LakestreamException e) {
      mismatches.add(
          "step %d cannot be read: %s".formatted(number, String.valueOf(e.getMessage())));
    }
  }

  /** A rank that did not tell of the step at all was reported before. */
  private void checkTold(int index, StepInfo step, RankBatch slice) {
    RankStep seen = told.get(index).get(step.step());
    RankStep stored = RankStep.of(slice);
    if (seen != null && !seen.equals(stored)) {
      mismatches.add(
          "step %d, slice %s: the rank read %s, the store has %s"
              .formatted(step.step(), slice.cell(), seen, stored));
    }
  }

  private List<ReplicaTokens> replicas(List<RankBatch> slices) {
    List<ReplicaTokens> replicas = new ArrayList<>();
    for (int d = 0; d < packing.mesh().dataParallel(); d++) {
      List<IntBuffer> tokens = new ArrayList<>();
      List<IntBuffer> rowLengths = new ArrayList<>();
      for (int c = 0; c < packing.mesh().contextParallel(); c++) {
        RankBatch slice = slices.get(packing.mesh().index(new Cell(d, c)));
        tokens.add(slice.tensor(PackingSettings.TOKENS).data().asIntBuffer());
        rowLengths.add(slice.tensor(PackingSettings.ROW_LENGTHS).data().asIntBuffer());
      }
      if (rowLengths.stream().distinct().count() > 1) {
        mismatches.add(
            "step %d: the context ranks of replica %d have different row lengths"
                .formatted(slices.get(0).step(), d));
      }
      replicas.add(ReplicaTokens.join(packing.cut(), tokens, rowLengths.get(0)));
    }
    return replicas;
  }
}
