// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.model.Cell;
import io.lakestream.model.RankBatch;
import io.lakestream.text.Provenance;
import io.lakestream.text.Tokenizer;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lakestream cat}. */
@Command(
    name = "cat",
    header = "Show a step, a slice of it, or a tensor.",
    customSynopsis = "lakestream cat URI STEP [--slice=D,C [--tensor=NAME] [--raw]] [OPTIONS]",
    description = {
      "Without --slice: what the footer of the step says. With it: how the tensors of the slice"
          + " begin, or the bytes themselves. What is read is checked."
    })
final class CatCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Parameters(index = "1", paramLabel = "STEP", description = "The step, from 0.")
  long step;

  @Option(
      names = "--slice",
      paramLabel = "D,C",
      converter = CellText.class,
      description = "The slice of replica D and context rank C.")
  @Nullable Cell slice;

  @Option(names = "--tensor", paramLabel = "NAME", description = "This tensor of the slice alone.")
  @Nullable String tensor;

  @Option(names = "--raw", description = "Print the bytes of the slice or tensor and nothing else.")
  boolean isRaw;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description =
          "The vocabulary to show tokens as text with (default: the one that the batch names).")
  @Nullable String encoding;

  @Mixin VocabularyOptions ranks;

  @Mixin JsonOption json;

  @Spec CommandSpec spec;

  CatCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (slice == null && (isRaw || tensor != null)) {
      throw new ParameterException(
          spec.commandLine(), "%s needs --slice".formatted(isRaw ? "--raw" : "--tensor"));
    }
    if (isRaw && json.isJson()) {
      throw new ParameterException(spec.commandLine(), "--raw and --json exclude each other");
    }
    try (Namespace stream = namespace.open()) {
      StreamView view = stream.view();
      if (slice == null) {
        StepText text = StepText.of(view.step(step), view.footer(step));
        json.print(console, text, () -> text.print(console));
      } else {
        print(view, view.slice(step, slice));
      }
    }
    return 0;
  }

  private void print(StreamView view, RankBatch batch) {
    if (isRaw) {
      console.print(tensor == null ? batch.payload() : batch.tensor(tensor).data());
    } else {
      SliceText text = SliceText.of(batch, tensor, tokenizer(view, batch));
      json.print(console, text, () -> text.print(console));
    }
  }

  /** None where the batch names none, or one that the command does not have: nothing is guessed. */
  private Optional<Tokenizer> tokenizer(StreamView view, RankBatch batch) {
    if (batch.schema().tensors().isEmpty()) {
      return Optional.empty();
    }
    Optional<Vocabulary> asked = ranks.vocabulary(encoding);
    if (asked.isPresent()) {
      return asked.map(Vocabulary::tokenizer);
    }
    return view.footer(step)
        .provenance()
        .flatMap(Provenance::encoding)
        .filter(Tokenizer::isNamed)
        .map(Tokenizer::named);
  }
}
