// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.runtime.Environment;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.Stores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lakestream doctor}. */
@Command(
    name = "doctor",
    header = "Try out whether a place is fit for a namespace.",
    customSynopsis = "lakestream doctor URI [OPTIONS]",
    description = {
      "Writes a few small objects under probe/ and removes them, also where there is no namespace"
          + " yet. Exit status 1 if something that safety rests on does not hold."
    })
final class DoctorCommand implements Callable<Integer> {
  private final Console console;

  @Mixin NamespaceArgument namespace;

  @Mixin JsonOption json;

  DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    URI uri = Stores.uri(namespace.place());
    Diagnosis diagnosis = diagnose(uri);
    namespace.noteDurability(console);
    json.print(console, diagnosis, () -> diagnosis.print(console));
    return diagnosis.sound() ? 0 : 1;
  }

  private static Diagnosis diagnose(URI uri) throws IOException {
    Optional<FilePlace> files =
        "file".equals(uri.getScheme())
            ? Optional.of(new FilePlace(Path.of(uri.getPath())))
            : Optional.empty();
    try (ObjectStore store = Stores.open(uri)) {
      return Diagnosis.of(uri, store, files, Environment.system());
    } finally {
      files.ifPresent(FilePlace::removeWhatIsNew);
    }
  }
}
