// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.StreamView;
import io.lakestream.cli.process.RankCheck;
import io.lakestream.cli.process.RankLog;
import io.lakestream.cli.process.RankStep;
import io.lakestream.model.Cell;
import io.lakestream.model.CpLayout;
import io.lakestream.model.Mesh;
import io.lakestream.model.SealMode;
import io.lakestream.text.Documents;
import io.lakestream.text.PackedBatch;
import io.lakestream.text.PackingSettings;
import io.lakestream.text.TextPacker;
import io.lakestream.text.Tokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A small stream of two producers for four ranks, to be told wrongly or written wrongly. */
final class SmallStream implements AutoCloseable {
  static final PackingSettings PACKING =
      new PackingSettings(new Mesh(2, 2), CpLayout.ZIGZAG, 16, 1, 2);
  static final Tokenizer TOKENIZER = Tokenizer.named("r50k_base");
  private static final int PRODUCERS = 2;

  private final Path folder;
  private final Namespace stream;

  private SmallStream(Path folder) {
    this.folder = folder;
    this.stream = Lakestream.create(folder.resolve("stream").toString(), PACKING.mesh());
  }

  static SmallStream in(Path folder) throws IOException {
    SmallStream small = new SmallStream(folder);
    Files.createDirectories(small.input());
    for (int i = 0; i < 6; i++) {
      Files.writeString(small.input().resolve("text-" + i + ".txt"), text(i));
    }
    return small;
  }

  private static String text(int number) {
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < 40; word++) {
      text.append(" word ").append(number * 1000 + word * 7);
    }
    return text.toString();
  }

  /** The folder of the text. */
  Path input() {
    return folder.resolve("text");
  }

  private static Documents share(Path input, int producer) {
    return Documents.of(input).share(producer, PRODUCERS);
  }

  /** What has to come out. */
  List<ExpectedShare> expected() {
    List<ExpectedShare> shares = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      shares.add(ExpectedShare.of("producer-" + i, share(input(), i), TOKENIZER, PACKING));
    }
    return shares;
  }

  /** Writes and seals the stream as it should be. */
  void write() throws InterruptedException {
    write(input(), UnaryOperator.identity());
  }

  /** Writes and seals it from another text, or with other batches of producer 1. */
  void write(Path text, UnaryOperator<List<PackedBatch>> change) throws InterruptedException {
    for (int i = 0; i < PRODUCERS; i++) {
      List<PackedBatch> batches = new ArrayList<>();
      try (TextPacker packer = TextPacker.open(share(text, i), TOKENIZER, PACKING)) {
        packer.forEachRemaining(batches::add);
      }
      try (Producer producer = stream.producer("producer-" + i)) {
        for (PackedBatch batch : i == 1 ? change.apply(batches) : batches) {
          producer.write(batch.tgb(), batch.offset());
        }
      }
    }
    stream.seal(SealMode.WHEN_ALONE);
  }

  StreamView view() {
    return stream.view();
  }

  /** What a rank tells that reads the stream as it should. */
  List<RankStep> told(int rank) {
    Cell cell = PACKING.mesh().cell(rank);
    StreamView view = view();
    List<RankStep> steps = new ArrayList<>();
    for (long step = 0; step < view.summary().nextStep(); step++) {
      steps.add(RankStep.of(view.slice(step, cell)));
    }
    return steps;
  }

  /** The account of a rank that was never killed and has told these steps. */
  static RankLog log(int rank, List<RankStep> steps) {
    return new RankLog(
        "rank " + PACKING.mesh().cell(rank),
        List.of(new RankLog.Life(Optional.empty(), steps, done(steps))));
  }

  /** The last event of a rank that has told these steps. */
  static Optional<JsonNode> done(List<RankStep> steps) {
    return Optional.of(
        JsonNodeFactory.instance
            .objectNode()
            .put("done", true)
            .put("descriptorsSha256", RankCheck.descriptorsSha256(steps)));
  }

  /** The accounts of all ranks, of which rank 2 tells something else. */
  List<RankLog> logs(UnaryOperator<List<RankStep>> change) {
    List<RankLog> logs = new ArrayList<>();
    for (int rank = 0; rank < PACKING.mesh().cells(); rank++) {
      List<RankStep> steps = new ArrayList<>(told(rank));
      logs.add(log(rank, rank == 2 ? change.apply(steps) : steps));
    }
    return logs;
  }

  /** What the check says to these accounts. */
  StreamCheck.Verdict check(List<RankLog> logs) throws InterruptedException {
    return new StreamCheck(view(), PACKING, expected(), logs).run();
  }

  /** What the check says if all ranks read what is there. */
  StreamCheck.Verdict check() throws InterruptedException {
    return check(logs(UnaryOperator.identity()));
  }

  @Override
  public void close() {
    stream.close();
  }
}
