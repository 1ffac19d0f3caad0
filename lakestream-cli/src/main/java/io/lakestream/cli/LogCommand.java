// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.right;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream log}. */
@Command(
    name = "log",
    header = "List manifest versions, newest first.",
    customSynopsis = "lakestream log URI [OPTIONS]")
final class LogCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Option(
      names = "--from",
      paramLabel = "V",
      description = "Start at a version (default: the newest).")
  @Nullable Long from;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Show at most N versions (default: ${DEFAULT-VALUE}).")
  long limit;

  @Mixin JsonOption json;

  LogCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Arguments.requireAtLeast("--from", from, 1);
    Arguments.requireAtLeast("--limit", limit, 0);
    try (Namespace stream = namespace.open()) {
      List<StreamView.Version> versions = versions(stream.view());
      json.printList(console, versions, () -> print(versions));
    }
    return 0;
  }

  private List<StreamView.Version> versions(StreamView view) {
    List<StreamView.Version> versions = new ArrayList<>();
    long newest = view.summary().version();
    long version = from == null ? newest : Math.min(from, newest);
    Optional<StreamView.Version> found = view.version(version);
    while (found.isPresent() && versions.size() < limit) {
      versions.add(found.get());
      version--;
      found = view.version(version);
    }
    return versions;
  }

  private void print(List<StreamView.Version> versions) {
    Table table =
        new Table(
            right("version"),
            left("kind"),
            left("committer"),
            right("epoch"),
            right("new steps"),
            right("next step"),
            right("size"),
            left("commit id"));
    for (StreamView.Version version : versions) {
      table.row(
          version.version(),
          version.kind(),
          version.committer().isEmpty() ? "(operator)" : version.committer(),
          version.epoch(),
          version.newSteps(),
          version.nextStep(),
          Units.bytes(version.bytes()),
          version.commitId());
    }
    table.print(console);
  }
}
