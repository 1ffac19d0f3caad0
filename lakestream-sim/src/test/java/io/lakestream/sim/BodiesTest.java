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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A read brings other bytes than were stored: it fails, and names the object. */
final class BodiesTest {
  /** So many that the oldest are in segments. */
  private static final int BATCHES = 700;

  private static final String MANIFESTS = "manifest/0";

  /** Of each kind of object. */
  private static final int READS_DAMAGED = 4;

  private static final Set<Operation> READS =
      Set.of(Operation.READ, Operation.READ_RANGE, Operation.READ_SUFFIX);

  /** What a read may bring in place of what it should. */
  private enum Damage {
    HALF {
      @Override
      ByteBuffer of(ByteBuffer bytes) {
        return bytes.slice(bytes.position(), bytes.remaining() / 2);
      }
    },
    ALL_BUT_ONE_BYTE {
      @Override
      ByteBuffer of(ByteBuffer bytes) {
        return bytes.slice(bytes.position(), bytes.remaining() - 1);
      }
    },
    ONE_BYTE_MORE {
      @Override
      ByteBuffer of(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining() + 1).put(bytes.duplicate()).rewind();
      }
    },
    FLIPPED_BIT {
      @Override
      ByteBuffer of(ByteBuffer bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
        int middle = copy.limit() / 2;
        return copy.put(middle, (byte) (copy.get(middle) ^ 1));
      }
    },
    NOTHING {
      @Override
      ByteBuffer of(ByteBuffer bytes) {
        return ByteBuffer.allocate(0);
      }
    };

    abstract ByteBuffer of(ByteBuffer bytes);

    /** A follower reads as much of a manifest as comes, and what is missing once it needs it. */
    boolean isOfLength() {
      return this == HALF || this == ALL_BUT_ONE_BYTE || this == ONE_BYTE_MORE;
    }
  }

  /** Damages one of the reads that bring something. */
  private static final class DamagedRead implements Fault {
    private final Damage damage;
    private int readsLeft;

    DamagedRead(Damage damage, int read) {
      this.damage = damage;
      this.readsLeft = read;
    }

    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.makeWithBody(bytes -> --readsLeft == 0 ? damage.of(bytes) : bytes);
    }

    boolean hasStruck() {
      return readsLeft <= 0;
    }
  }

  private static DamagedRead damage(Scene scene, String prefix, Damage damage, int read) {
    DamagedRead damaged = new DamagedRead(damage, read);
    scene.add(new FaultRule(READS, prefix, 1, Integer.MAX_VALUE, damaged));
    return damaged;
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
  @ValueSource(strings = {"data/", MANIFESTS, "segment/", "boundary/"})
  void aReaderOfDamagedBodiesFailsAndNamesThemAndGoesOn(String prefix) throws Exception {
    Scene.play(
        1,
        scene -> {
          writeLongStream(scene);
          for (Damage damage : Damage.values()) {
            for (int read = 1; read <= READS_DAMAGED; read++) {
              DamagedRead damaged = damage(scene, prefix, damage, read);
              List<CorruptObject> failures = readAll(scene);
              scene.world().faults().heal();
              assertThat(damaged.hasStruck() || read > 1).isTrue();
              boolean isNoticed =
                  damaged.hasStruck() && !(prefix.equals(MANIFESTS) && damage.isOfLength());
              assertThat(failures)
                  .describedAs("%s of read %d of %s", damage, read, prefix)
                  .hasSize(isNoticed ? 1 : 0)
                  .allMatch(failure -> failure.toString().contains(prefix));
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
          scene.add(FaultRule.often(Operation.READ_RANGE, "", 0.01, new Fault.IgnoredRange()));
          assertThat(readAll(scene)).isNotEmpty().allMatch(e -> e.toString().contains("data/"));
        });
  }

  @Test
  void aReaderToWhomManifestsComeWholeNoticesNothing() throws Exception {
    Scene.play(
        2,
        scene -> {
          writeLongStream(scene);
          scene.add(FaultRule.often(Operation.READ_RANGE, MANIFESTS, 1, new Fault.IgnoredRange()));
          assertThat(readAll(scene)).isEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"manifest/", "boundary/"})
  void aProducerThatIsToldOtherBytesWritesNothingTwiceAndLosesNothing(String prefix)
      throws Exception {
    Scene.play(
        3,
        scene -> {
          scene.produce(scene.director(), "p", 2);
          scene.tidy(2);
          int failures = 0;
          int batches = 2;
          for (Damage damage : Damage.values()) {
            for (int read = 1; read <= READS_DAMAGED; read++) {
              var unused = damage(scene, prefix, damage, read);
              scene.add(
                  FaultRule.often(Operation.PUT_IF_ABSENT, "manifest/", 0.5, new Fault.Resent()));
              batches += 2;
              failures += writeInLives(scene, batches);
              scene.world().faults().heal();
            }
          }
          assertThat(failures).isPositive();
          scene.assertHolds(Map.of("p", batches));
        });
  }

  /** How many lives failed. */
  private static int writeInLives(Scene scene, int batches) throws InterruptedException {
    int failures = 0;
    while (scene.stored("p") < batches) {
      try {
        scene.produce(scene.director(), "p", (int) (batches - scene.stored("p")));
      } catch (CorruptObject e) {
        failures++;
      }
    }
    return failures;
  }

  /** Reads everything, in as many lives as it takes; what the lives ended with. */
  private static List<CorruptObject> readAll(Scene scene) throws InterruptedException {
    List<CorruptObject> failures = new ArrayList<>();
    long[] next = new long[1];
    while (next[0] < BATCHES) {
      try (Namespace stream = scene.open(scene.director())) {
        Cursor start = new Cursor(stream.uuid(), 0, next[0], 0);
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
}
