// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.SealMode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lakestream seal}. */
@Command(
    name = "seal",
    header = "Give the stream its end.",
    customSynopsis = "lakestream seal URI [OPTIONS]",
    description = {
      "Every rank stops behind the last step that there is now. Refused while a producer is active,"
          + " since what it has not published yet would be lost."
    })
final class SealCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Option(names = "--force", description = "Seal even while producers are active.")
  boolean isForced;

  @Mixin JsonOption json;

  SealCommand(Console console) {
    this.console = console;
  }

  private record Sealed(long version, long firstStep, long nextStep) {}

  @Override
  public Integer call() throws InterruptedException {
    try (Namespace stream = namespace.open()) {
      seal(stream);
      StreamView.Summary summary = stream.view().summary();
      String text =
          "sealed; the stream ends after %s".formatted(Units.count(summary.nextStep(), "step"));
      Sealed value = new Sealed(summary.version(), summary.firstStep(), summary.nextStep());
      json.print(console, value, () -> console.print(text));
    }
    return 0;
  }

  private void seal(Namespace stream) throws InterruptedException {
    try {
      stream.seal(isForced ? SealMode.FORCED : SealMode.WHEN_ALONE);
    } catch (InvalidRequest e) {
      throw new CommandFailed(e.getMessage() + " (--force)", e);
    }
  }
}
