// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.Lakestream;
import io.lakestream.model.UnsupportedStore;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.testkit.ForwardingStore;
import io.lakestream.testkit.fault.CarelessStore;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A store that lacks what safety rests on gets no stream. */
final class RefusedStoresTest {

  @Test
  void aStoreThatIgnoresTheConditionIsRefusedAtCreationAndLeftEmpty() throws Exception {
    Scene.rehearse(1, scene -> assertRefused(scene, new CarelessStore(scene.store())));
  }

  @Test
  void aStoreThatLooksBeforeItWritesIsRefusedAtCreationAndLeftEmpty() throws Exception {
    Scene.rehearse(2, scene -> assertRefused(scene, new LooksFirst(scene.store())));
  }

  private static void assertRefused(Scene scene, ObjectStore store) throws IOException {
    assertThatExceptionOfType(UnsupportedStore.class)
        .isThrownBy(
            () -> Lakestream.create(store, World.PLACE, Scene.MESH, scene.director().environment()))
        .withMessageContaining(World.PLACE);
    assertThat(scene.store().list("", Optional.empty()).entries()).isEmpty();
  }

  private static final class LooksFirst extends ForwardingStore {
    LooksFirst(ObjectStore store) {
      super(store);
    }

    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      if (target().size(key).isPresent()) {
        return PutOutcome.OCCUPIED;
      }
      target().put(key, body);
      return PutOutcome.CREATED;
    }
  }
}
