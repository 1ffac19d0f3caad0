// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.model.Reclaimed;
import io.lakestream.policy.ReclaimSettings;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lakestream reclaim}. */
@Command(
    name = "reclaim",
    header = "Delete what no checkpoint needs any more.",
    customSynopsis = "lakestream reclaim URI [--dry-run | --watch [--every=SECONDS]] [OPTIONS]",
    description = {
      "Gives up the steps below all that ranks reported and all pins, and deletes what held them."
          + " Nothing goes while nobody but forks has promised anything. May run beside everything"
          + " else, several times at once, and be killed: the next one goes on."
    },
    sortOptions = false)
final class ReclaimCommand implements Callable<Integer>, Execution.StopsItself {
  private static final long EVERY_SECONDS = 60;

  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Option(names = "--dry-run", description = "Delete nothing; say what would go, and who holds it.")
  boolean isDryRun;

  @Option(names = "--watch", description = "Repeat until Ctrl-C.")
  boolean isWatching;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "How long --watch waits between passes (default: " + EVERY_SECONDS + ").")
  @Nullable Long everySeconds;

  @Option(
      names = "--keep-versions",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Keep the newest N manifest versions (default: ${DEFAULT-VALUE}).")
  long versionsKept;

  @Option(
      names = "--keep-orphans",
      description = "Do not look for what crashed producers left, which lists all data.")
  boolean isKeepingOrphans;

  @Option(
      names = "--retire-idle",
      paramLabel = "VERSIONS",
      description =
          "Retire producers that so many versions followed the last commit of (default: 100000).")
  @Nullable Long versionsIdle;

  @Option(names = "--keep-idle", description = "Retire no producer, however long it is idle.")
  boolean isKeepingIdle;

  @Mixin JsonOption json;

  @Spec CommandSpec spec;

  ReclaimCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    Arguments.requireAtLeast("--keep-versions", versionsKept, 1);
    Arguments.requireAtLeast("--every", everySeconds, 1);
    Arguments.requireAtLeast("--retire-idle", versionsIdle, 1);
    if (versionsIdle != null && isKeepingIdle) {
      throw new ParameterException(
          spec.commandLine(), "--retire-idle and --keep-idle exclude each other");
    }
    if (everySeconds != null && !isWatching) {
      throw new ParameterException(spec.commandLine(), "--every needs --watch");
    }
    if (isDryRun && isWatching) {
      throw new ParameterException(spec.commandLine(), "--dry-run and --watch exclude each other");
    }
    try (Namespace stream = console.stop().interruptible(namespace::open)) {
      if (isWatching) {
        long seconds = everySeconds == null ? EVERY_SECONDS : everySeconds;
        new ReclaimWatch(console, stream, settings(), json).run(seconds);
      } else {
        Reclamation pass = console.stop().bounded(() -> pass(stream));
        json.print(console, pass, () -> pass.print(console));
      }
    }
    return 0;
  }

  private Reclamation pass(Namespace stream) throws InterruptedException {
    long before = stream.view().summary().firstStep();
    Reclaimed reclaimed = stream.lifecycle().reclaim(settings());
    return isDryRun ? Reclamation.looked(before, reclaimed) : Reclamation.done(before, reclaimed);
  }

  private ReclaimSettings settings() {
    return ReclaimSettings.DEFAULT
        .keeping(versionsKept)
        .retiringAfter(idleAfter())
        .with(isKeepingOrphans ? ReclaimSettings.Orphans.LEAVE : ReclaimSettings.Orphans.DELETE)
        .in(isDryRun ? ReclaimSettings.Mode.LOOK : ReclaimSettings.Mode.DELETE);
  }

  private long idleAfter() {
    if (isKeepingIdle) {
      return ReclaimSettings.NEVER;
    }
    return versionsIdle == null ? ReclaimSettings.DEFAULT.versionsIdle() : versionsIdle;
  }
}
