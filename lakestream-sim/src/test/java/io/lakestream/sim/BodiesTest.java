// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Consumer;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.format.Names;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.Cursor;
import io.lakestream.model.RankBatch;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import io.lakestream.testkit.fault.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A read brings other bytes than were stored: it fails, and names the object. */
final class BodiesTest {
  /** So many that the oldest are in segments. */
  private static final int BATCHES = 700;

  private static final Set<Operation> READS =
      Set.of(Operation.READ, Operation.READ_RANGE, Operation.READ_SUFFIX);

  private static final List<Fault> FAULTS =
      List.of(
          new Fault.ShortBody(), new Fault.LongBody(), new Fault.FlippedBit(), new EmptyBody());

  private record EmptyBody() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.makeWithBody(bytes -> ByteBuffer.allocate(0));
    }
  }

  private static void writeLongStream(Scene scene) throws Exception {
    try (Namespace stream = scene.open(scene.director());
        Producer producer = scene.producer(stream, "p")) {
      for (int i = 0; i < BATCHES; i++) {
        scene.writeOne(producer);
        if (i % 50 == 0) {
          producer.flush();
        }
      }
    }
    scene.tidy(3);
    assertThat(scene.store().list("segment/", Optional.empty()).entries()).isNotEmpty();
    assertThat(scene.store().size(Names.boundary(1))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"data/", "manifest/0", "segment/", "boundary/"})
  void aReaderOfDamagedBodiesFailsAndNamesThemAndGoesOn(String prefix) throws Exception {
    Scene.play(
        1,
        scene -> {
          writeLongStream(scene);
          for (Fault fault : FAULTS) {
            for (int chance = 1; chance <= 3; chance++) {
              scene.add(new FaultRule(READS, prefix, 1.0 / chance, 2, fault));
              List<CorruptObject> failures = readAll(scene, store -> store);
              scene.world().faults().heal();
              assertThat(failures)
                  .describedAs("%s of %s", fault, prefix)
                  .isNotEmpty()
                  .allMatch(failure -> failure.getMessage().contains(prefix));
            }
          }
        });
  }

  @Test
  void aReaderWhoseRangesAreIgnoredFailsAndGoesOn() throws Exception {
    Scene.play(
        2,
        scene -> {
          writeLongStream(scene);
          assertThat(readAll(scene, EveryHundredthRangeIgnored::new)).isNotEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"manifest/", "boundary/"})
  void aProducerThatIsToldOtherBytesWritesNothingTwiceAndLosesNothing(String prefix)
      throws Exception {
    int batches = 40;
    Scene.play(
        3,
        scene -> {
          scene.produce(scene.director(), "p", 2);
          scene.tidy(2);
          scene.add(FaultRule.often(Operation.PUT_IF_ABSENT, "manifest/", 0.2, new Fault.Resent()));
          for (Fault fault : FAULTS) {
            scene.add(new FaultRule(READS, prefix, 0.02, 5, fault));
          }
          int failures = 0;
          while (scene.stored("p") < batches) {
            try {
              scene.produce(scene.director(), "p", (int) (batches - scene.stored("p")));
            } catch (CorruptObject e) {
              failures++;
            }
          }
          assertThat(failures).isPositive();
          scene.world().faults().heal();
          scene.assertHolds(Map.of("p", batches));
        });
  }

  /** Reads everything, in as many lives as it takes; what the lives ended with. */
  private static List<CorruptObject> readAll(Scene scene, UnaryOperator<ObjectStore> seen)
      throws InterruptedException {
    List<CorruptObject> failures = new ArrayList<>();
    long[] next = new long[1];
    while (next[0] < BATCHES) {
      try (Namespace stream = scene.open(scene.director(), seen.apply(scene.store()))) {
        Cursor start = new Cursor(stream.uuid(), 0, next[0]);
        readFrom(stream, start, next);
      } catch (CorruptObject e) {
        failures.add(e);
      }
    }
    return failures;
  }

  private static void readFrom(Namespace stream, Cursor start, long[] next)
      throws InterruptedException {
    try (Consumer consumer = stream.consumer(Scene.RANK, start, Scene.TO_HEAD)) {
      Optional<RankBatch> batch = consumer.next();
      while (batch.isPresent()) {
        assertThat(batch.get().step()).isEqualTo(next[0]);
        assertThat(Payloads.text(batch.get().payload()))
            .isEqualTo(Payloads.text("p", next[0], Scene.CELL));
        next[0]++;
        batch = consumer.next();
      }
    }
  }

  private static final class EveryHundredthRangeIgnored extends ForwardingStore {
    private int ranges;

    EveryHundredthRangeIgnored(ObjectStore store) {
      super(store);
    }

    @Override
    public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
      return ++ranges % 100 == 0 ? target().read(key) : super.read(key, offset, length);
    }
  }
}
