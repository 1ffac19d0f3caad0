// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.Namespace;
import io.lakestream.cli.StateFile;
import io.lakestream.cli.process.Stage;
import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import io.lakestream.model.Generation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A training job: its launcher and its ranks. When a rank dies, all of them are ended and started
 * again from the last checkpoint that every rank has, as a new generation. Ranks that sleep are
 * left over: nobody can tell them to end.
 */
final class Job {
  /** Frequent checkpoints let reclamation follow closely. */
  private static final int CHECKPOINT_STEPS = 32;

  private final Namespace stream;
  private final String group;
  private final Path folder;
  private final List<Actor> ranks = new ArrayList<>();
  private final List<Cursor> starts = new ArrayList<>();
  private long number;

  Job(Namespace stream, String group, Stage stage, Path folder) {
    this.stream = stream;
    this.group = group;
    this.folder = folder;
    for (int i = 0; i < stream.mesh().cells(); i++) {
      String name = "%s-rank-%d".formatted(group, i);
      ranks.add(new Actor(Strike.Kind.RANK, name, stage, folder));
    }
  }

  String group() {
    return group;
  }

  /** Its ranks, in the order of their cells. */
  List<Actor> ranks() {
    return ranks;
  }

  /** Where each life of its ranks began. */
  List<Cursor> starts() {
    return List.copyOf(starts);
  }

  /** Starts it for the first time. */
  void start() throws IOException, InterruptedException {
    start(Cursor.start(stream.uuid()));
  }

  private void start(Cursor cursor) throws IOException, InterruptedException {
    Generation generation =
        Requests.repeat(() -> stream.lifecycle().start(group, ranks.size(), cursor.step()));
    number = generation.number();
    starts.add(cursor);
    for (int i = 0; i < ranks.size(); i++) {
      ranks.get(i).start(arguments(generation, cursor, i));
    }
  }

  private List<String> arguments(Generation generation, Cursor cursor, int rank) {
    Cell cell = stream.mesh().cell(rank);
    List<String> arguments = new ArrayList<>(List.of("soak", "rank", stream.place()));
    arguments.addAll(List.of("--slice", cell.d() + "," + cell.c()));
    arguments.addAll(List.of("--cursor", cursor.toJson(), "--group", group));
    arguments.addAll(List.of("--start", "" + generation.number()));
    arguments.addAll(List.of("--start-version", "" + generation.version()));
    arguments.addAll(List.of("--checkpoint-every", "" + CHECKPOINT_STEPS));
    arguments.addAll(List.of("--state", state(rank).toString()));
    return arguments;
  }

  /** Each start has files of its own, which no rank that is left over can write to. */
  private Path state(int rank) {
    return folder.resolve("%s.%d.cursor".formatted(ranks.get(rank).name(), number));
  }

  /** Ends all ranks but those that sleep. */
  void endRanks() throws InterruptedException {
    List<Actor> awake = ranks.stream().filter(r -> !r.current().process().isPaused()).toList();
    awake.forEach(rank -> rank.current().process().kill());
    for (Actor rank : awake) {
      rank.current().process().join();
    }
  }

  /** Starts it again from the last checkpoint that every rank has. */
  void startAgain() throws IOException, InterruptedException {
    start(resumption());
  }

  /** The last checkpoint that every rank has. */
  Cursor resumption() {
    Cursor start = starts.get(starts.size() - 1);
    List<Cursor> saved = new ArrayList<>();
    for (int i = 0; i < ranks.size(); i++) {
      saved.add(new StateFile(state(i)).read().orElse(start));
    }
    return saved.stream().min(Comparator.comparingLong(Cursor::step)).orElseThrow();
  }
}
