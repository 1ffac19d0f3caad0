// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.model.UnsupportedStore;
import io.lakestream.runtime.Environment;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StoreProbeTest {
  private final MemoryStore memory = new MemoryStore();

  @Test
  void aSoundStoreIsFoundSoundAndLeftClean() throws IOException {
    StoreProbe.Report report = probe(memory);
    assertThat(report.findings()).hasSize(7).allMatch(StoreProbe.Finding::isOk);
    assertThat(report.isSound()).isTrue();
    assertThatCode(() -> report.requireSound("memory")).doesNotThrowAnyException();
    assertThat(memory.list("", Optional.empty()).entries()).isEmpty();
  }

  @Test
  void aStoreThatIgnoresTheConditionIsRefused() throws IOException {
    StoreProbe.Report report = probe(new IgnoresCondition(memory));
    assertThat(failed(report))
        .containsExactly(
            "a key that is taken is not created again", "of eight creates at once, one wins");
    assertThatThrownBy(() -> report.requireSound("s3://bucket/run"))
        .isInstanceOf(UnsupportedStore.class)
        .hasMessageContaining("s3://bucket/run")
        .hasMessageContaining("a key that is taken is not created again")
        .hasMessageContaining("the second create was answered CREATED")
        .hasMessageContaining("8 of 8 creates of one key were told that they won");
    assertThat(memory.list("", Optional.empty()).entries()).isEmpty();
  }

  @Test
  void aStoreThatLooksBeforeItWritesIsRefused() throws IOException {
    StoreProbe.Report report = probe(new LooksFirst(memory));
    assertThat(failed(report)).containsExactly("of eight creates at once, one wins");
  }

  @Test
  void aRacerThatFailsWithABugIsNotOverlookedThoughAnotherWins() {
    IllegalStateException bug = new IllegalStateException("connection pool is shut down");
    AtomicInteger racers = new AtomicInteger();
    ObjectStore store =
        new ForwardingStore(memory) {
          @Override
          public PutOutcome putIfAbsent(String key, Body body) throws IOException {
            if (key.contains("race") && racers.incrementAndGet() == 8) {
              throw bug;
            }
            return super.putIfAbsent(key, body);
          }
        };
    assertThatThrownBy(() -> probe(store)).isSameAs(bug);
  }

  @Test
  void aStoreThatIgnoresRangesIsRefused() throws IOException {
    StoreProbe.Report report = probe(new IgnoresRange(memory));
    assertThat(failed(report)).containsExactly("ranges and suffixes are exact");
    assertThatThrownBy(() -> report.requireSound("x"))
        .hasMessageContaining("expected '3456' but read '0123456789'");
  }

  @Test
  void aStoreThatRefusesToWriteIsRefusedWithItsReason() throws IOException {
    ScriptedStore denied = new ScriptedStore();
    denied.fail(new IOException("putIfAbsent of 'k': no permission"));
    StoreProbe.Report report = probe(denied);
    assertThat(failed(report)).containsExactly("objects can be written");
    assertThatThrownBy(() -> report.requireSound("x")).hasMessageContaining("no permission");
  }

  @Test
  void aStoreThatIsBusyGetsNoVerdict() {
    ScriptedStore busy = new ScriptedStore();
    TransientStoreException failure = new TransientStoreException("busy");
    busy.fail(failure);
    assertThatThrownBy(() -> probe(busy)).isSameAs(failure);
  }

  @Test
  void aStoreOfAnInterruptedThreadGetsNoVerdict() {
    ScriptedStore closed = new ScriptedStore();
    closed.fail(new IOException("closed by an interrupt"));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> probe(closed)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void outcomesThatAreUnknownAtFirstAreAskedForAgain() throws IOException {
    ScriptedStore flaky = new ScriptedStore();
    flaky.answer(PutOutcome.UNKNOWN, PutOutcome.UNKNOWN);
    assertThat(probe(flaky).isSound()).isTrue();
  }

  private static StoreProbe.Report probe(ObjectStore store) throws IOException {
    return StoreProbe.run(store, Environment.system());
  }

  private static List<String> failed(StoreProbe.Report report) {
    return report.findings().stream()
        .filter(finding -> !finding.isOk())
        .map(StoreProbe.Finding::claim)
        .toList();
  }

  private static final class IgnoresCondition extends ForwardingStore {
    IgnoresCondition(ObjectStore store) {
      super(store);
    }

    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      target().put(key, body);
      return PutOutcome.CREATED;
    }
  }

  /** Two threads see that the key is free before either of them writes. */
  private static final class LooksFirst extends ForwardingStore {
    private final CountDownLatch looked = new CountDownLatch(2);

    LooksFirst(ObjectStore store) {
      super(store);
    }

    @Override
    public PutOutcome putIfAbsent(String key, Body body) throws IOException {
      if (target().size(key).isPresent()) {
        return PutOutcome.OCCUPIED;
      }
      if (key.contains("race")) {
        looked.countDown();
        try {
          looked.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      target().put(key, body);
      return PutOutcome.CREATED;
    }
  }

  private static final class IgnoresRange extends ForwardingStore {
    IgnoresRange(ObjectStore store) {
      super(store);
    }

    @Override
    public Optional<ByteBuffer> read(String key, long offset, int length) throws IOException {
      return target().read(key);
    }
  }
}
