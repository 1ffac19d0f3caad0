// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.format.Boundary;
import io.lakestream.format.Names;
import io.lakestream.model.CorruptObject;
import io.lakestream.store.Body;
import io.lakestream.store.UnreliableStore;
import io.lakestream.store.UnreliableStore.Effect;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The boundary rises and never falls, whoever raises it and whatever becomes of the replies. */
class BoundaryChainTest {
  private static final UUID NAMESPACE = StoredStream.NAMESPACE;

  private final UnreliableStore store = new UnreliableStore();
  private final BoundaryChain chain = new BoundaryChain(store, NAMESPACE);

  private void put(Boundary boundary) {
    try {
      store.put(Names.boundary(boundary.index()), Body.of(boundary.encode(NAMESPACE)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void withoutAChainNothingIsDead() throws IOException {
    assertThat(chain.newest(Boundary.NONE)).isEqualTo(Boundary.NONE);
    assertThat(chain.find(0)).isEqualTo(Boundary.NONE);
    assertThat(chain.find(5)).isEqualTo(Boundary.NONE);
  }

  @Test
  void eachRaiseIsALinkOfItsOwn() throws IOException {
    Boundary first = chain.raise(Boundary.NONE, 10);
    assertThat(first).isEqualTo(new Boundary(1, 10));
    assertThat(chain.raise(first, 25)).isEqualTo(new Boundary(2, 25));
    assertThat(chain.newest(Boundary.NONE)).isEqualTo(new Boundary(2, 25));
  }

  @Test
  void aRaiseToWhatIsDeadAlreadyPutsNothing() throws IOException {
    put(new Boundary(1, 10));
    var unused = store.takeCalls();
    assertThat(chain.raise(Boundary.NONE, 10)).isEqualTo(new Boundary(1, 10));
    assertThat(chain.raise(Boundary.NONE, 3)).isEqualTo(new Boundary(1, 10));
    assertThat(store.takeCalls()).noneMatch(call -> call.startsWith("put"));
  }

  @Test
  void theNewestFromAKnownOneTakesOneRequest() throws IOException {
    for (long i = 1; i <= 20; i++) {
      put(new Boundary(i, i));
    }
    var unused = store.takeCalls();
    assertThat(chain.newest(new Boundary(20, 20))).isEqualTo(new Boundary(20, 20));
    assertThat(store.takeCalls()).containsExactly("read " + Names.boundary(21));
    assertThat(chain.newest(new Boundary(3, 3))).isEqualTo(new Boundary(20, 20));
    assertThat(chain.find(19)).isEqualTo(new Boundary(20, 20));
    assertThat(chain.find(30)).isEqualTo(new Boundary(20, 20));
  }

  @Test
  void aRivalWhoRaisedHigherHasTheWord() throws IOException {
    store.before("boundary/", () -> put(new Boundary(1, 50)));
    assertThat(chain.raise(Boundary.NONE, 10)).isEqualTo(new Boundary(1, 50));
  }

  @Test
  void aRivalWhoRaisedLessIsFollowedByALinkOfOurs() throws IOException {
    store.before("boundary/", () -> put(new Boundary(1, 5)));
    assertThat(chain.raise(Boundary.NONE, 10)).isEqualTo(new Boundary(2, 10));
  }

  @Test
  void aLostReplyIsSettledByReading() throws IOException {
    store.on("boundary/", Effect.LOST_REPLY);
    assertThat(chain.raise(Boundary.NONE, 10)).isEqualTo(new Boundary(1, 10));
  }

  @Test
  void aLostRequestIsSaidToBeUnknown() {
    store.on("boundary/", Effect.LOST_REQUEST);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> chain.raise(Boundary.NONE, 10))
        .withMessageContaining("not known whether boundary 1 was put");
  }

  @Test
  void aChainThatFallsIsCorrupt() {
    put(new Boundary(1, 10));
    put(new Boundary(2, 5));
    assertThatThrownBy(() -> chain.newest(new Boundary(1, 10)))
        .isInstanceOf(CorruptObject.class)
        .hasMessageContaining("expected at least 10, the one of boundary 1, found 5");
  }
}
