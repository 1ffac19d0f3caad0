// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.format.Boundary;
import io.lakestream.format.Names;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Mesh;
import io.lakestream.model.NamespaceExists;
import io.lakestream.model.NamespaceNotFound;
import io.lakestream.model.SealMode;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.model.UnsupportedFormat;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ForwardingStore;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.store.UnreliableStore;
import io.lakestream.store.UnreliableStore.Effect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Creating and opening namespaces, and everything that can be wrong with a place. */
final class NamespaceTest {
  private static final Mesh MESH = new Mesh(2, 2);

  @TempDir private Path folder;

  private String place(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void whatWasCreatedCanBeOpened() {
    try (Namespace created = Lakestream.create(place("run"), new Mesh(3, 5));
        Namespace opened = Lakestream.open(place("run"))) {
      assertThat(opened.uuid()).isEqualTo(created.uuid());
      assertThat(opened.mesh()).isEqualTo(new Mesh(3, 5));
      assertThat(opened.view().summary().nextStep()).isZero();
    }
  }

  @Test
  void aSecondCreationIsRefusedAndLeavesTheFirst() {
    try (Namespace first = Lakestream.create(place("run"), MESH)) {
      assertThatExceptionOfType(NamespaceExists.class)
          .isThrownBy(() -> Lakestream.create(place("run"), new Mesh(1, 1)))
          .withMessageContaining(place("run"));
      try (Namespace opened = Lakestream.open(place("run"))) {
        assertThat(opened.uuid()).isEqualTo(first.uuid());
      }
    }
  }

  @Test
  void ofManyCreationsAtOnceOneWins() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    List<Callable<Boolean>> racers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      racers.add(
          () -> {
            try (Namespace created = Lakestream.create(place("raced"), MESH)) {
              return created.mesh().equals(MESH);
            } catch (NamespaceExists e) {
              return false;
            }
          });
    }
    int winners = 0;
    for (Future<Boolean> racer : pool.invokeAll(racers)) {
      winners += racer.get() ? 1 : 0;
    }
    pool.shutdown();
    assertThat(winners).isEqualTo(1);
  }

  @Test
  void aPlaceWithoutANamespaceSaysSoAndIsLeftAsItWas() throws IOException {
    assertThatExceptionOfType(NamespaceNotFound.class)
        .isThrownBy(() -> Lakestream.open(place("nothing")))
        .withMessageContaining(place("nothing"))
        .withMessageContaining("namespace.json");
    assertThat(Files.exists(folder.resolve("nothing"))).isFalse();
  }

  @Test
  void aSchemeThatNobodyKnowsIsRefused() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> Lakestream.open("gopher://somewhere/run"))
        .withMessageContaining("gopher")
        .withMessageContaining("file");
  }

  @Test
  void aPlaceThatIsAFileIsRefused() throws IOException {
    Files.writeString(folder.resolve("file"), "not a folder");
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> Lakestream.create(place("file"), MESH))
        .withMessageContaining("is a file");
  }

  private void writeRecord(String text) throws IOException {
    Files.createDirectories(folder.resolve("run"));
    Files.writeString(folder.resolve("run").resolve(Names.NAMESPACE), text);
  }

  @Test
  void aNamespaceOfANewerFormatIsRefused() throws IOException {
    writeRecord("{\"lakestream\": 2, \"everything\": [\"is\", {\"different\": 1}]}");
    assertThatExceptionOfType(UnsupportedFormat.class)
        .isThrownBy(() -> Lakestream.open(place("run")))
        .withMessageContaining("format 2")
        .withMessageContaining("format 1");
  }

  @Test
  void aDamagedRecordIsFoundAndNamed() throws IOException {
    for (String text : List.of("", "{", "[]", "{\"lakestream\": 1}", "\u0000\u0001")) {
      writeRecord(text);
      assertThatExceptionOfType(CorruptObject.class)
          .as(text)
          .isThrownBy(() -> Lakestream.open(place("run")))
          .withMessageContaining("namespace.json");
    }
  }

  @Test
  void aLostReplyToACreationIsFoundOutToBeOurs() throws IOException {
    UnreliableStore store = new UnreliableStore().on(Names.NAMESPACE, Effect.LOST_REPLY);
    try (Namespace created = Lakestream.create(store, "memory:///x", MESH, Environment.system())) {
      assertThat(store.read(Names.NAMESPACE)).isPresent();
      assertThat(created.mesh()).isEqualTo(MESH);
    }
  }

  @Test
  void aCreationThatCannotBeReadBackIsUnknown() {
    IOException down = new IOException("the store went down");
    ObjectStore store =
        new ForwardingStore(new MemoryStore()) {
          private boolean isPut;

          @Override
          public PutOutcome putIfAbsent(String key, Body body) throws IOException {
            isPut |= key.equals(Names.NAMESPACE);
            return super.putIfAbsent(key, body);
          }

          @Override
          protected void begin(Operation operation, String key) throws IOException {
            if (isPut && operation == Operation.READ) {
              throw down;
            }
          }
        };
    assertThatExceptionOfType(CommitUnknown.class)
        .isThrownBy(() -> Lakestream.create(store, "memory:///x", MESH, Environment.system()))
        .withMessageContaining("memory:///x")
        .withMessageContaining("the store went down")
        .withCause(down);
  }

  @Test
  void objectsOfAnotherNamespaceAreNotBelieved() throws Exception {
    MemoryStore ours = new MemoryStore();
    MemoryStore theirs = new MemoryStore();
    try (Namespace stream = Streams.sealed(theirs, 2);
        Namespace other = Streams.create(ours)) {
      String head = Names.manifest(1);
      ours.put(head, Body.of(theirs.read(head).orElseThrow()));
      assertThatExceptionOfType(CorruptObject.class)
          .isThrownBy(other::view)
          .withMessageContaining(head)
          .withMessageContaining(stream.uuid().toString());
    }
  }

  @Test
  void anOperatorSealsWhenNobodyProduces() throws Exception {
    try (Namespace stream = Streams.create(new MemoryStore())) {
      Producer producer = Streams.producer(stream, "p");
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> stream.seal(SealMode.WHEN_ALONE))
          .withMessageContaining("p");
      stream.seal(SealMode.FORCED);
      assertThat(stream.view().summary().isSealed()).isTrue();
      stream.seal(SealMode.FORCED);
      producer.close();
      assertThat(Streams.readAll(stream.consumer(Streams.FIRST))).isEmpty();
    }
  }

  @Test
  void aViewIsRefreshedToANewerHeadIfThereIsOne() throws Exception {
    MemoryStore store = new MemoryStore();
    try (Namespace stream = Streams.create(store)) {
      StreamView view = stream.view();
      assertThat(view.refresh()).isFalse();
      try (Producer producer = Streams.producer(stream, "p")) {
        producer.write(Streams.batch("p", 0), "0");
        producer.flush();
        assertThat(view.summary().nextStep()).isZero();
        assertThat(view.refresh()).isTrue();
        assertThat(view.step(0).producer()).isEqualTo("p");
        assertThat(view.refresh()).isFalse();
      }
      var deadAndGone = List.of(Names.manifest(1), Names.manifest(2));
      ManifestLog log = new ManifestLog(store, stream.uuid());
      assertThat(log.boundaries().raise(Boundary.NONE, 2)).isEqualTo(new Boundary(1, 2));
      assertThat(store.delete(deadAndGone)).isEmpty();
      assertThat(view.refresh()).isTrue();
      assertThat(view.summary().version()).isEqualTo(3);
    }
  }

  @Test
  void aViewShowsWhatIsThere() throws Exception {
    try (Namespace stream = Streams.sealed(new MemoryStore(), 300)) {
      StreamView view = stream.view();
      assertThat(view.summary().nextStep()).isEqualTo(300);
      assertThat(view.summary().isSealed()).isTrue();
      assertThat(view.summary().headBytes()).isPositive();
      assertThat(view.summary().schemas()).hasSize(1);
      assertThat(view.producers())
          .singleElement()
          .satisfies(
              status -> {
                assertThat(status.id()).isEqualTo("p");
                assertThat(status.isActive()).isFalse();
                assertThat(status.tgbs()).isEqualTo(300);
                assertThat(status.offset()).contains("offset 299");
              });
      assertThat(view.step(7).offset()).isEqualTo("offset 7");
      assertThat(view.step(7).seq()).isEqualTo(7);
      assertThat(view.footer(7).slices()).hasSize(4);
      assertThat(Streams.text(view.slice(7, MESH.cell(3)))).isEqualTo("p 7 (1,1)");
      assertThat(view.version(1).orElseThrow().kind()).isEqualTo("open");
      assertThat(view.version(view.summary().version()).orElseThrow().kind()).isEqualTo("retire");
      assertThat(view.version(0)).isEmpty();
      assertThat(view.version(view.summary().version() + 1)).isEmpty();
      assertThatExceptionOfType(InvalidRequest.class)
          .isThrownBy(() -> view.step(300))
          .withMessageContaining("no step 300");
      assertThat(stream.storeMetrics().total().requests()).isPositive();
    }
  }
}
