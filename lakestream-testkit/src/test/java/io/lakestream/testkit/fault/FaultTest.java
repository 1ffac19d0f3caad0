// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Tasks;
import io.lakestream.store.Body;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.PutOutcome;
import io.lakestream.store.StoreMetrics.Operation;
import io.lakestream.store.TransientStoreException;
import io.lakestream.testkit.simulation.SimulatedProcess;
import io.lakestream.testkit.simulation.Simulation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the caller of a struck call sees, and what the store holds then and later. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class FaultTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();
  private static final String KEY = "a/k";

  private final Simulation simulation = new Simulation(1, THREADS, TimeUnit.HOURS.toNanos(1));
  private final SimulatedProcess caller = simulation.process("caller", 0);
  private final SimulatedProcess network = simulation.process("network", 0);
  private final Clock clock = caller.environment().clock();
  private final MemoryStore memory = new MemoryStore();
  private final Faults faults = new Faults(new SplittableRandom(1));
  private final FaultyStore store =
      new FaultyStore(memory, faults, caller.environment(), network.environment(), caller::kill);
  private final List<String> events = new ArrayList<>();

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  /** A call of a store. */
  @FunctionalInterface
  private interface Call {
    Object make(ObjectStore store) throws IOException;
  }

  /** One call of each kind, of {@link #KEY}. */
  private static Map<Operation, Call> calls() {
    Map<Operation, Call> calls = new EnumMap<>(Operation.class);
    calls.put(Operation.PUT_IF_ABSENT, store -> store.putIfAbsent(KEY, body("new")));
    calls.put(
        Operation.PUT,
        store -> {
          store.put(KEY, body("new"));
          return "";
        });
    calls.put(Operation.READ, store -> store.read(KEY));
    calls.put(Operation.READ_RANGE, store -> store.read(KEY, 0, 10));
    calls.put(Operation.READ_SUFFIX, store -> store.readSuffix(KEY, 10));
    calls.put(Operation.SIZE, store -> store.size(KEY));
    calls.put(Operation.LIST, store -> store.list("a/", Optional.empty()));
    calls.put(Operation.DELETE, store -> store.delete(List.of(KEY)));
    assertThat(calls).containsOnlyKeys(Operation.values());
    return calls;
  }

  private static Body body(String text) {
    return Body.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Optional<ByteBuffer> bytes) {
    return bytes.map(found -> StandardCharsets.UTF_8.decode(found).toString()).orElse("nothing");
  }

  private String held() throws IOException {
    return text(memory.read(KEY));
  }

  private void always(Fault fault) {
    faults.add(new FaultRule(Set.of(Operation.values()), "", 1, Integer.MAX_VALUE, fault));
  }

  private void once(Operation operation, Fault fault) {
    faults.add(FaultRule.once(operation, "a/", fault));
  }

  private void run(SimulatedProcess.Body body) throws InterruptedException {
    caller.start("main", body);
    assertThat(simulation.run()).isEmpty();
  }

  @Test
  void withoutRulesNothingGoesWrong() throws IOException {
    MemoryStore twin = new MemoryStore();
    for (Map.Entry<Operation, Call> entry : calls().entrySet()) {
      Object expected = entry.getValue().make(twin);
      assertThat(entry.getValue().make(store)).isEqualTo(expected);
    }
  }

  @Test
  void aThrottledCallHasNoEffectAndMayBeRepeated() throws Exception {
    always(new Fault.Throttled());
    for (Map.Entry<Operation, Call> entry : calls().entrySet()) {
      memory.put(KEY, body("old"));
      assertThatThrownBy(() -> entry.getValue().make(store))
          .isInstanceOf(TransientStoreException.class)
          .hasMessageContainingAll(entry.getKey().label(), "a/");
      assertThat(held()).isEqualTo("old");
    }
  }

  @Test
  void aDeniedCallHasNoEffectAndNeedNotBeRepeated() throws Exception {
    always(new Fault.Denied());
    for (Map.Entry<Operation, Call> entry : calls().entrySet()) {
      memory.put(KEY, body("old"));
      assertThatThrownBy(() -> entry.getValue().make(store))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(TransientStoreException.class)
          .hasMessageContainingAll(entry.getKey().label(), "a/");
      assertThat(held()).isEqualTo("old");
    }
  }

  @Test
  void throttledAndDeniedCreatesNeverTakeEffect() throws Exception {
    once(Operation.PUT_IF_ABSENT, new Fault.Throttled());
    once(Operation.PUT_IF_ABSENT, new Fault.Denied());
    run(
        () -> {
          for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> store.putIfAbsent(KEY, body("new")))
                .isInstanceOf(IOException.class);
          }
        });
    assertThat(held()).isEqualTo("nothing");
  }

  @Test
  void anUndecidedCallHasNoEffect() throws Exception {
    always(new Fault.Undecided());
    assertThat(store.putIfAbsent(KEY, body("new"))).isEqualTo(PutOutcome.UNKNOWN);
    assertThat(held()).isEqualTo("nothing");
    for (Map.Entry<Operation, Call> entry : callsButCreate().entrySet()) {
      memory.put(KEY, body("old"));
      isUnanswered(entry.getValue());
      assertThat(held()).isEqualTo("old");
    }
  }

  private static Map<Operation, Call> callsButCreate() {
    Map<Operation, Call> calls = calls();
    Call unused = calls.remove(Operation.PUT_IF_ABSENT);
    return calls;
  }

  private void isUnanswered(Operation operation) {
    isUnanswered(requireNonNull(calls().get(operation)));
  }

  private void isUnanswered(Call call) {
    assertThatThrownBy(() -> call.make(store)).isInstanceOf(TransientStoreException.class);
  }

  @Test
  void aCallWhoseReplyIsLostTookEffect() throws Exception {
    always(new Fault.LostReply());
    assertThat(store.putIfAbsent(KEY, body("first"))).isEqualTo(PutOutcome.UNKNOWN);
    assertThat(held()).isEqualTo("first");
    assertThat(store.putIfAbsent(KEY, body("second"))).isEqualTo(PutOutcome.UNKNOWN);
    assertThat(held()).isEqualTo("first");
    isUnanswered(Operation.PUT);
    assertThat(held()).isEqualTo("new");
    isUnanswered(Operation.READ);
    isUnanswered(Operation.DELETE);
    assertThat(held()).isEqualTo("nothing");
  }

  @Test
  void aLateCreateLandsWhenItsTimeHasPassed() throws InterruptedException {
    once(Operation.PUT_IF_ABSENT, new Fault.Late(SECOND));
    run(
        () -> {
          assertThat(store.putIfAbsent(KEY, body("new"))).isEqualTo(PutOutcome.UNKNOWN);
          assertThat(clock.nanoTime()).isZero();
          clock.sleep(SECOND - 1);
          assertThat(held()).isEqualTo("nothing");
          clock.sleep(2);
          assertThat(held()).isEqualTo("new");
        });
  }

  @Test
  void aLateCreateLosesAgainstWhoCameMeanwhile() throws Exception {
    once(Operation.PUT_IF_ABSENT, new Fault.Late(SECOND));
    run(
        () -> {
          assertThat(store.putIfAbsent(KEY, body("late"))).isEqualTo(PutOutcome.UNKNOWN);
          assertThat(store.putIfAbsent(KEY, body("quick"))).isEqualTo(PutOutcome.CREATED);
        });
    assertThat(simulation.nowNanos()).isEqualTo(SECOND);
    assertThat(held()).isEqualTo("quick");
  }

  @Test
  void aLatePutReplacesWhatCameMeanwhile() throws Exception {
    once(Operation.PUT, new Fault.Late(SECOND));
    run(
        () -> {
          isUnanswered(lateStore -> put(lateStore, "late"));
          store.put(KEY, body("quick"));
          assertThat(held()).isEqualTo("quick");
        });
    assertThat(held()).isEqualTo("late");
  }

  private static Object put(ObjectStore store, String text) throws IOException {
    store.put(KEY, body(text));
    return "";
  }

  @Test
  void aLateDeleteDeletesWhatCameMeanwhile() throws Exception {
    once(Operation.DELETE, new Fault.Late(SECOND));
    run(
        () -> {
          isUnanswered(Operation.DELETE);
          store.put(KEY, body("new"));
        });
    assertThat(held()).isEqualTo("nothing");
  }

  @Test
  void aLateCallOutlivesItsCallerAndTheHealing() throws Exception {
    once(Operation.PUT_IF_ABSENT, new Fault.Late(SECOND));
    run(
        () -> {
          assertThat(store.putIfAbsent(KEY, body("new"))).isEqualTo(PutOutcome.UNKNOWN);
          faults.heal();
          caller.kill();
        });
    assertThat(held()).isEqualTo("new");
  }

  @Test
  void aLateCallThatFailsIsNobodysFailure() throws InterruptedException {
    once(Operation.PUT, new Fault.Late(SECOND));
    run(
        () -> {
          isUnanswered(Operation.PUT);
          memory.close();
        });
  }

  @Test
  void aResentCreateMeetsItself() throws Exception {
    always(new Fault.Resent());
    assertThat(store.putIfAbsent(KEY, body("new"))).isEqualTo(PutOutcome.OCCUPIED);
    assertThat(held()).isEqualTo("new");
    assertThat(text(store.read(KEY))).isEqualTo("new");
    assertThat(store.delete(List.of(KEY))).isEmpty();
    assertThat(held()).isEqualTo("nothing");
  }

  @Test
  void theCopyOfACreateRevivesWhatWasDeleted() throws Exception {
    once(Operation.PUT_IF_ABSENT, new Fault.Duplicated(SECOND));
    run(
        () -> {
          assertThat(store.putIfAbsent(KEY, body("new"))).isEqualTo(PutOutcome.CREATED);
          assertThat(held()).isEqualTo("new");
          assertThat(store.delete(List.of(KEY))).isEmpty();
          clock.sleep(SECOND - 1);
          assertThat(held()).isEqualTo("nothing");
        });
    assertThat(held()).isEqualTo("new");
  }

  @Test
  void theCopyOfAPutReplacesWhatCameMeanwhile() throws Exception {
    once(Operation.PUT, new Fault.Duplicated(SECOND));
    run(
        () -> {
          store.put(KEY, body("old"));
          store.put(KEY, body("new"));
          assertThat(held()).isEqualTo("new");
        });
    assertThat(held()).isEqualTo("old");
  }

  @Test
  void aSlowCallTakesItsTimeAndThenItsEffect() throws InterruptedException {
    once(Operation.PUT_IF_ABSENT, new Fault.Slow(SECOND));
    network.start(
        "watcher",
        () -> {
          clock.sleep(SECOND - 1);
          assertThat(held()).isEqualTo("nothing");
        });
    run(
        () -> {
          assertThat(store.putIfAbsent(KEY, body("new"))).isEqualTo(PutOutcome.CREATED);
          assertThat(clock.nanoTime()).isEqualTo(SECOND);
          assertThat(held()).isEqualTo("new");
        });
  }

  @Test
  void aSlowCallThatIsInterruptedHasNoEffect() throws Exception {
    once(Operation.PUT_IF_ABSENT, new Fault.Slow(SECOND));
    Tasks.Task main =
        caller
            .environment()
            .tasks()
            .start(
                "main",
                () -> {
                  assertThatThrownBy(() -> store.putIfAbsent(KEY, body("new")))
                      .isInstanceOf(InterruptedIOException.class)
                      .hasMessageContainingAll("putIfAbsent", KEY);
                  assertThatThrownBy(() -> clock.sleep(1)).isInstanceOf(InterruptedException.class);
                  events.add("interrupted");
                });
    main.interrupt();
    assertThat(simulation.run()).isEmpty();
    assertThat(events).containsExactly("interrupted");
    assertThat(held()).isEqualTo("nothing");
  }

  private void crashes(Fault fault) throws InterruptedException {
    once(Operation.PUT_IF_ABSENT, fault);
    network.start(
        "other",
        () -> {
          clock.sleep(SECOND);
          events.add("another process lives");
        });
    caller.start(
        "second",
        () -> {
          clock.sleep(SECOND);
          events.add("a second thread lives");
        });
    run(
        () -> {
          try {
            events.add("answered " + store.putIfAbsent(KEY, body("new")));
          } catch (IOException e) {
            events.add("failed: " + e);
          }
        });
    assertThat(events).containsExactly("another process lives");
    assertThat(caller.isKilled()).isTrue();
    assertThat(network.isKilled()).isFalse();
  }

  @Test
  void aCrashBeforeLeavesNoEffect() throws Exception {
    crashes(new Fault.CrashBefore());
    assertThat(held()).isEqualTo("nothing");
  }

  @Test
  void aCrashAfterLeavesTheEffect() throws Exception {
    crashes(new Fault.CrashAfter());
    assertThat(held()).isEqualTo("new");
  }

  private List<String> reads() throws IOException {
    return List.of(
        text(store.read(KEY)), text(store.read(KEY, 2, 4)), text(store.readSuffix(KEY, 4)));
  }

  /** Faults of bodies leave alone whatever brings no bytes, and the store. */
  private void onlyReadsChange() throws IOException {
    assertThat(held()).isEqualTo("abcdefgh");
    assertThat(store.size(KEY)).isEqualTo(OptionalLong.of(8));
    assertThat(store.list("a/", Optional.empty())).isEqualTo(memory.list("a/", Optional.empty()));
    assertThat(store.putIfAbsent(KEY, body("new"))).isEqualTo(PutOutcome.OCCUPIED);
    assertThat(store.putIfAbsent("a/l", body("new"))).isEqualTo(PutOutcome.CREATED);
    assertThat(text(memory.read("a/l"))).isEqualTo("new");
    store.put("a/l", body("newer"));
    assertThat(text(memory.read("a/l"))).isEqualTo("newer");
    assertThat(store.delete(List.of(KEY))).isEmpty();
    assertThat(held()).isEqualTo("nothing");
    assertThat(reads()).containsOnly("nothing");
  }

  @Test
  void aShortBodyIsTheBeginningOfTheBytes() throws IOException {
    memory.put(KEY, body("abcdefgh"));
    always(new Fault.ShortBody());
    assertThat(reads()).containsExactly("abcd", "cd", "ef");
    onlyReadsChange();
  }

  @Test
  void aLongBodyIsTheBytesAndMore() throws IOException {
    memory.put(KEY, body("abcdefgh"));
    always(new Fault.LongBody());
    assertThat(reads()).containsExactly("abcdefgh\0", "cdef\0", "efgh\0");
    onlyReadsChange();
  }

  @Test
  void anIgnoredRangeBringsTheWholeObject() throws IOException {
    memory.put(KEY, body("abcdefgh"));
    always(new Fault.IgnoredRange());
    assertThat(reads()).containsOnly("abcdefgh");
    onlyReadsChange();
  }

  @Test
  void aStaleReadBringsWhatWasThereSomeReadsAgo() throws IOException {
    always(new Fault.Stale());
    assertThat(text(store.read(KEY))).isEqualTo("nothing");
    List<String> read = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      memory.put(KEY, body("version " + i));
      memory.put("a/other", body("other"));
      read.add(text(store.read(KEY)));
      assertThat(text(store.read("a/other"))).isEqualTo("other");
    }
    assertThat(read)
        .containsExactly(
            "version 0", "version 0", "version 0", "version 0", "version 1", "version 2");
    assertThat(held()).isEqualTo("version 5");
  }

  @Test
  void aContestedPutIsRefusedWithoutEffectWhereSomebodyWasFirst() throws Exception {
    always(new Fault.Contested());
    assertThat(store.putIfAbsent(KEY, body("first"))).isEqualTo(PutOutcome.CREATED);
    for (Operation put : List.of(Operation.PUT_IF_ABSENT, Operation.PUT)) {
      isUnanswered(put);
    }
    assertThat(held()).isEqualTo("first");
    assertThat(text(store.read(KEY))).isEqualTo("first");
    assertThat(store.list("a/", Optional.empty()).entries()).hasSize(1);
    assertThat(store.delete(List.of())).isEmpty();
    assertThat(store.delete(List.of(KEY))).isEmpty();
  }

  @Test
  void aFlippedBitIsOneBit() throws IOException {
    memory.put(KEY, body("abcdefgh"));
    always(new Fault.FlippedBit());
    assertThat(reads()).containsExactly("abcddfgh", "cddf", "effh");
    onlyReadsChange();
  }

  @Test
  void bodiesOfNothingStayBodies() throws IOException {
    memory.put(KEY, body(""));
    for (Fault fault : List.of(new Fault.ShortBody(), new Fault.FlippedBit())) {
      once(Operation.READ, fault);
      assertThat(text(store.read(KEY))).isEmpty();
    }
  }

  @Test
  void bodiesAreTheRemainingBytesOfTheBuffer() throws IOException {
    assertThat(struckReadOfTail(new Fault.ShortBody())).isEqualTo("cd");
    assertThat(struckReadOfTail(new Fault.LongBody())).isEqualTo("cdef\0");
    assertThat(struckReadOfTail(new Fault.FlippedBit())).isEqualTo("cddf");
  }

  private String struckReadOfTail(Fault fault) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode("abcdef").position(2);
    Request.Call<Optional<ByteBuffer>> call = () -> Optional.of(bytes);
    return text(fault.strike(Request.read(store, Operation.READ, KEY, call, call)));
  }
}
