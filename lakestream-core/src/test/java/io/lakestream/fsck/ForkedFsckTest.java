// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.format.Names;
import io.lakestream.model.CheckReport;
import io.lakestream.model.CheckReport.Depth;
import io.lakestream.policy.ForkSettings;
import io.lakestream.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fork needs of the namespaces that it was forked from is checked too. */
final class ForkedFsckTest {
  @TempDir Path folder;

  private static void write(Namespace stream, String producer) throws InterruptedException {
    try (Producer open = stream.producer(producer)) {
      for (int i = 0; i < 10; i++) {
        open.write(CheckedStream.batch("batch " + i, Optional.empty()), "at " + i);
      }
    }
  }

  private static void delete(Path below) throws IOException {
    try (Stream<Path> paths = Files.walk(below)) {
      for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
        Files.delete(path);
      }
    }
  }

  private List<String> damaged(Namespace fork) throws InterruptedException {
    return fork.check(Depth.EVERY_BYTE, CheckReport.Listener.none()).problems().stream()
        .map(CheckReport.Problem::object)
        .toList();
  }

  @Test
  void aSourceThatIsGoneHidesNoDamageInTheOneBeforeIt() throws Exception {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    Path fork = folder.resolve("fork");
    try (Namespace stream = Lakestream.create(first.toString(), CheckedStream.MESH)) {
      write(stream, "p");
      try (Namespace between = stream.fork(second.toString(), ForkSettings.at(10))) {
        write(between, "q");
        try (Namespace forked = between.fork(fork.toString(), ForkSettings.at(20))) {
          write(forked, "r");
          assertThat(damaged(forked)).isEmpty();
        }
      }
    }
    String uri = Stores.uri(second.toString()).toString();
    delete(second);
    assertThat(damaged(fork)).containsExactly(uri);
    delete(first.resolve(Names.DATA));
    assertThat(damaged(fork))
        .contains(uri)
        .anyMatch(object -> object.startsWith(Names.DATA) && object.contains("p-"));
  }

  private List<String> damaged(Path fork) throws InterruptedException {
    try (Namespace stream = Lakestream.open(fork.toString())) {
      return damaged(stream);
    }
  }
}
