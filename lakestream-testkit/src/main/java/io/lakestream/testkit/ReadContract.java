// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit;

import static io.lakestream.testkit.StoreUnderTest.bytes;
import static io.lakestream.testkit.StoreUnderTest.mustCreate;
import static io.lakestream.testkit.StoreUnderTest.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Reading objects and parts of them. */
interface ReadContract extends StoreUnderTest {

  @Test
  default void anAbsentObjectIsAnEmptyAnswer() throws IOException {
    mustCreate(store(), "a/k/l", bytes(1, 10));
    for (String key : new String[] {"a/b", "absent", "a/k", "a/k/l2", "a/k/L"}) {
      assertThat(store().read(key)).isEmpty();
      assertThat(store().read(key, 0, 10)).isEmpty();
      assertThat(store().read(key, 5, 0)).isEmpty();
      assertThat(store().readSuffix(key, 10)).isEmpty();
      assertThat(store().size(key)).isEmpty();
    }
  }

  @Test
  default void rangesAreExact() throws IOException {
    byte[] bytes = bytes(1, 5_000);
    mustCreate(store(), "a/k", bytes);
    long seed = StoreUnderTest.seed();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      int offset = random.nextInt(bytes.length);
      int length = random.nextInt(bytes.length - offset) + 1;
      assertThat(store().read("a/k", offset, length).map(StoreUnderTest::toArray))
          .as("%s bytes at %s, with -D%s=%s", length, offset, StoreUnderTest.SEED, seed)
          .contains(Arrays.copyOfRange(bytes, offset, offset + length));
    }
  }

  @Test
  default void aRangePastTheEndIsCutShort() throws IOException {
    byte[] bytes = bytes(1, 1_000);
    mustCreate(store(), "a/k", bytes);
    assertRange(990, 100, Arrays.copyOfRange(bytes, 990, 1_000));
    assertRange(0, Integer.MAX_VALUE, bytes);
    assertRange(999, Integer.MAX_VALUE, Arrays.copyOfRange(bytes, 999, 1_000));
    assertRange(1_000, 1, new byte[0]);
    assertRange(1_001, 10, new byte[0]);
    assertRange(1L << 40, 10, new byte[0]);
    assertRange(Long.MAX_VALUE, Integer.MAX_VALUE, new byte[0]);
  }

  @Test
  default void aRangeOfNothingIsEmpty() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 1_000));
    assertRange(0, 0, new byte[0]);
    assertRange(500, 0, new byte[0]);
    assertThat(store().readSuffix("a/k", 0)).contains(ByteBuffer.allocate(0));
  }

  @Test
  default void aSuffixIsExact() throws IOException {
    byte[] bytes = bytes(1, 1_000);
    mustCreate(store(), "a/k", bytes);
    for (int length : new int[] {1, 10, 999, 1_000, 1_001, Integer.MAX_VALUE}) {
      assertThat(store().readSuffix("a/k", length).map(StoreUnderTest::toArray))
          .contains(Arrays.copyOfRange(bytes, Math.max(0, 1_000 - length), 1_000));
    }
  }

  @Test
  default void aNegativeRangeIsRefused() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 10));
    assertThatThrownBy(() -> store().read("a/k", -1, 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store().read("a/k", 1, -5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store().readSuffix("a/k", -5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void aBufferIsTheCallersOwn() throws IOException {
    mustCreate(store(), "a/k", bytes(1, 10));
    for (Optional<ByteBuffer> read :
        List.of(store().read("a/k"), store().read("a/k", 0, 10), store().readSuffix("a/k", 10))) {
      ByteBuffer buffer = read.orElseThrow();
      assertThat(buffer.position()).isZero();
      assertThat(buffer.remaining()).isEqualTo(10);
      buffer.put(new byte[10]);
    }
    assertThat(read(store(), "a/k")).contains(bytes(1, 10));
  }

  private void assertRange(long offset, int length, byte[] expected) throws IOException {
    assertThat(store().read("a/k", offset, length).map(StoreUnderTest::toArray))
        .as("%s bytes at %s", length, offset)
        .contains(expected);
  }
}
