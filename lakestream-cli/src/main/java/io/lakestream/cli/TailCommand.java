// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.StepInfo;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream tail}. */
@Command(
    name = "tail",
    header = "Show the newest steps, and with -f those that follow.",
    customSynopsis = "lakestream tail URI [-f] [OPTIONS]")
final class TailCommand implements Callable<Integer> {
  /** Each look costs two requests, and people do not read faster. */
  private static final long LOOK_MILLIS = 500;

  private final Console console;
  private final StepTable table = new StepTable();

  @Mixin NamespaceArgument namespace;

  @Option(
      names = {"-f", "--follow"},
      description = "Wait for new steps, until the stream is sealed or Ctrl-C.")
  boolean isFollowing;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "Begin with the newest N steps (default: ${DEFAULT-VALUE}).")
  long limit;

  @Mixin JsonOption json;

  TailCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    Arguments.requireAtLeast("--limit", limit, 0);
    try (Namespace stream = namespace.open()) {
      StreamView view = stream.view();
      StreamView.Summary summary = view.summary();
      print(view, Math.max(summary.firstStep(), summary.nextStep() - limit), summary.nextStep());
      if (isFollowing) {
        follow(view, summary);
      }
    } catch (InterruptedException | LakestreamException e) {
      if (!isFollowing || !console.stop().isRequested()) {
        throw e;
      }
      // Ctrl-C is how following ends, and nothing to remark on.
    }
    return 0;
  }

  private void follow(StreamView view, StreamView.Summary first) throws InterruptedException {
    StreamView.Summary summary = first;
    while (!summary.isSealed()) {
      long next = summary.nextStep();
      Thread.sleep(LOOK_MILLIS);
      if (view.refresh()) {
        summary = view.summary();
        // Steps may have been trimmed before they could be shown.
        print(view, Math.max(next, summary.firstStep()), summary.nextStep());
      }
    }
  }

  private void print(StreamView view, long from, long to) {
    List<StepInfo> steps = LongStream.range(from, to).mapToObj(view::step).toList();
    json.printLines(console, steps, () -> table.print(steps, console));
    console.flush();
  }
}
