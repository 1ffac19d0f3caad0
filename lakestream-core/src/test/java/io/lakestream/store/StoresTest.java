// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.StoreUnavailable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoresTest {
  private static final Body BODY = Body.of(new byte[] {1});

  @TempDir Path folder;

  @Test
  void aFileUriOpensAFolder() throws IOException {
    put(Stores.open(folder.toUri() + "runs/a?durability=none"));
    assertThat(folder.resolve("runs/a/k")).exists();
    put(Stores.open(folder.toUri() + "runs/b?durability=full"));
    assertThat(folder.resolve("runs/b/k")).exists();
  }

  @Test
  void aPathWithoutSchemeIsAFolder() throws IOException {
    put(Stores.open(folder.resolve("odd ?name#with %41").toString()));
    assertThat(folder.resolve("odd ?name#with %41/k")).exists();
  }

  @Test
  void aRelativePathStartsAtTheWorkingDirectory() {
    URI expected = URI.create("file://" + Path.of("").toAbsolutePath() + "/runs/a");
    assertThat(Stores.uri("runs/a")).isEqualTo(expected);
    assertThat(Stores.uri("./runs/x/../a/")).isEqualTo(expected);
  }

  @Test
  void openingCreatesNothing() {
    try (ObjectStore store = Stores.open(folder.resolve("absent").toString())) {
      assertThat(store.read("k")).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(folder.resolve("absent")).doesNotExist();
  }

  @Test
  void aMemoryStoreIsSharedByItsName() throws IOException {
    put(Stores.open("memory:///stores-test/a"));
    assertThat(Stores.open("memory:///stores-test/a/").read("k")).isPresent();
    assertThat(Stores.open("memory:///stores-test/b").read("k")).isEmpty();
    assertThat(MemoryStore.named("stores-test/a").read("k")).isPresent();
  }

  @Test
  void anUnknownSchemeIsNamedWithTheKnownOnes() {
    assertThatThrownBy(() -> Stores.open("s4://bucket/run"))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("'s4'")
        .hasMessageContaining("file, memory")
        .hasMessageContaining("add the module of that store");
  }

  @Test
  void theSchemeMayBeInCapitals() throws IOException {
    put(Stores.open("MEMORY:///stores-test/capitals"));
  }

  @Test
  void badPlacesAreRefused() {
    refused("", "empty");
    refused("  ", "empty");
    refused("file://host/path", "file:///folder");
    refused("file:relative", "file:///folder");
    refused("file:///a#b", "%23");
    refused("memory:", "neither a URI nor a path");
    refused("memory:///", "memory:///name");
    refused("memory://name", "memory:///name");
    refused("file:///a b", "neither a URI nor a path");
    refused("a\0b", "neither a URI nor a path");
  }

  @Test
  void badOptionsAreRefused() {
    refused("/a?durability=none", "is a path, which has no options");
    refused("file:///a?durability=maybe", "full or none, not 'maybe'");
    refused("file:///a?durable=none", "unknown option 'durable'");
    refused("file:///a?durable=none", "options are: durability");
    refused("file:///a?durability=none&durability=full", "given twice");
    refused("file:///a?durability", "no value");
    refused("file:///a?durability=", "no value");
    refused("memory:///a?durability=none", "has no options");
  }

  @Test
  void aLinkToNothingIsNoStore() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nothing"));
    assertThatThrownBy(() -> Stores.open(link.toString()))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(link + " is a link to nothing");
  }

  @Test
  void aFileIsNoStore() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThatThrownBy(() -> Stores.open(file.toString()))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("is a file; a store needs a folder");
  }

  private static void refused(String place, String reason) {
    assertThatThrownBy(() -> Stores.open(place))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining(reason);
  }

  private static void put(ObjectStore store) throws IOException {
    try (store) {
      assertThat(store.putIfAbsent("k", BODY)).isEqualTo(PutOutcome.CREATED);
    }
  }
}
