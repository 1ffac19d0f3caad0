// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.model.Cursor;
import io.lakestream.model.Generation;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream read}. */
@Command(
    name = "read",
    header = "Read a rank's slices, step after step, as a trainer does.",
    customSynopsis = "lakestream read URI [--slice=D,C | --rank=R --world-size=N] [OPTIONS]",
    description = {
      "Follows the stream to its sealed end, checks every slice, and prints what it read. With"
          + " --state it goes on where it was: kill it at any time and start it again."
    },
    sortOptions = false)
final class ReadCommand implements Callable<Integer>, Execution.StopsItself {
  private final Console console;

  @Mixin NamespaceArgument namespace;
  @Mixin RankOptions ranks;

  @Option(
      names = "--from-step",
      paramLabel = "S",
      description = {
        "Start at a step, unless --state knows better (default: the step of --start, else 0)."
      })
  @Nullable Long fromStep;

  @Option(
      names = "--start",
      paramLabel = "TOKEN",
      description = {
        "Read as a rank of this start of a job, such as train@3 or train, its newest: skip the"
            + " steps that it skips ('lakestream skips'). Else none is skipped."
      })
  @Nullable String start;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "Keep the cursor in a file, and go on from it if it exists.")
  @Nullable Path state;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "K",
      defaultValue = "10",
      description = "Write the cursor every K steps (default: ${DEFAULT-VALUE}), and at the end.")
  long checkpointEvery;

  @Option(names = "--until-head", description = "End at the newest step that there is now.")
  boolean isUntilHead;

  @Option(names = "--limit", paramLabel = "N", description = "Read at most N steps.")
  @Nullable Long limit;

  @Option(
      names = "--events",
      paramLabel = "FILE",
      description = {
        "Write a line of JSON for each step, and one at the end. Lines of steps at or behind the"
            + " start are removed first, as a trainer forgets what came after its checkpoint."
      })
  @Nullable Path events;

  @Mixin JsonOption json;

  ReadCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    Arguments.requireAtLeast("--from-step", fromStep, 0);
    Arguments.requireAtLeast("--checkpoint-every", checkpointEvery, 1);
    Arguments.requireAtLeast("--limit", limit, 0);
    try (Namespace stream = console.stop().interruptible(namespace::open)) {
      Topology topology = ranks.topology(stream.mesh(), console.environment());
      Optional<StateFile> stateFile = Optional.ofNullable(state).map(StateFile::new);
      Optional<Cursor> kept = stateFile.flatMap(StateFile::read);
      Optional<Generation> job = job(stream);
      long first = fromStep != null ? fromStep : job.map(Generation::startStep).orElse(0L);
      Cursor cursor = kept.orElseGet(() -> new Cursor(stream.uuid(), 0, first, 0));
      ConsumerSettings settings = job.map(settings()::startedAs).orElseGet(this::settings);
      read(stream, () -> stream.consumer(topology, cursor, settings), cursor, stateFile);
    }
    return 0;
  }

  private Optional<Generation> job(Namespace stream) throws Exception {
    if (start == null) {
      return Optional.empty();
    }
    StartToken token = StartToken.parse(start);
    return Optional.of(
        console.stop().interruptible(() -> token.generation(stream.lifecycle(), stream.place())));
  }

  private void read(
      Namespace stream, Callable<Consumer> open, Cursor cursor, Optional<StateFile> stateFile)
      throws Exception {
    Stop stop = console.stop();
    try (Consumer consumer = stop.interruptible(open);
        ReadLog log = ReadLog.open(Optional.ofNullable(events), cursor)) {
      ReadRun run = new ReadRun(stop, consumer, log, stateFile);
      run.read(limit == null ? Long.MAX_VALUE : limit, checkpointEvery);
      if (stop.isRequested()) {
        throw new CommandFailed(
            "stopped before step %s%s"
                .formatted(
                    ReadRun.place(consumer.cursor()),
                    state == null ? "" : "; the same command goes on from there"));
      }
      ReadSummary summary = log.end(StoreCalls.of(stream.storeMetrics()));
      json.print(console, summary, () -> console.print(run.text()));
    }
  }

  private ConsumerSettings settings() {
    return ConsumerSettings.DEFAULT
        .remapping(ranks.remap)
        .until(isUntilHead ? ConsumerSettings.End.HEAD : ConsumerSettings.End.SEALED);
  }
}
