// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.Consumer;
import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.Producer;
import io.lakestream.format.Names;
import io.lakestream.manifest.ManifestLog;
import io.lakestream.model.Cell;
import io.lakestream.model.Cursor;
import io.lakestream.model.Mesh;
import io.lakestream.model.RankBatch;
import io.lakestream.model.Topology;
import io.lakestream.policy.ConsumerSettings;
import io.lakestream.policy.PolicyStart;
import io.lakestream.policy.ProducerSettings;
import io.lakestream.store.DeleteFailure;
import io.lakestream.store.ObjectStore;
import io.lakestream.testkit.fault.Fault;
import io.lakestream.testkit.fault.FaultRule;
import io.lakestream.testkit.fault.Request;
import io.lakestream.testkit.simulation.Failure;
import io.lakestream.testkit.simulation.SimulatedProcess;
import io.lakestream.testkit.simulation.Simulation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/**
 * A simulated stream whose course a test writes down. All invariants are checked meanwhile. The
 * test itself runs in a process of the simulation, the director.
 */
final class Scene {
  static final Mesh MESH = new Mesh(1, 1);
  static final Cell CELL = new Cell(0, 0);
  static final Topology RANK = new Topology(MESH, CELL);
  static final ProducerSettings EAGER = ProducerSettings.DEFAULT.withPolicy(PolicyStart.naive());
  static final ConsumerSettings TO_HEAD = ConsumerSettings.DEFAULT.until(ConsumerSettings.End.HEAD);

  private static final long END_NANOS = TimeUnit.HOURS.toNanos(12);
  private static final long STORE_MEAN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          body -> {
            Thread thread = new Thread(body, "scene");
            thread.setDaemon(true);
            return thread;
          });

  private final World world;
  private final SimulatedProcess director;

  private Scene(World world, SimulatedProcess director) {
    this.world = world;
    this.director = director;
  }

  /** Its whole process stops before the call has an effect, as if it were swapped out. */
  record Stopped(SimulatedProcess process, long nanos) implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      process.pause(nanos);
      return request.make();
    }
  }

  /** What happens in a scene. */
  @FunctionalInterface
  interface Script {
    void run(Scene scene) throws Exception;
  }

  /** What one of several does. */
  @FunctionalInterface
  interface Role {
    void play(String name, SimulatedProcess process) throws Exception;
  }

  /** Plays a script in a stream that was just created. */
  static void play(long seed, Script script) throws InterruptedException {
    rehearse(
        seed,
        scene -> {
          scene.create();
          script.run(scene);
        });
  }

  /** Plays a script in an empty store. */
  static void rehearse(long seed, Script script) throws InterruptedException {
    Simulation simulation = new Simulation(seed, THREADS, END_NANOS);
    World world = new World(simulation, MESH);
    SimulatedProcess director = world.process("director");
    director.start("main", () -> script.run(new Scene(world, director)));
    Optional<Failure> failure = simulation.run();
    if (failure.isPresent()) {
      String events = String.join("\n", world.trace().lastEvents());
      throw new AssertionError(
          "seed %d: %s\n%s".formatted(seed, failure.get().what(), events), failure.get().cause());
    }
  }

  private void create() {
    try (Namespace created =
        Lakestream.create(store(), World.PLACE, MESH, director.environment())) {
      world.created(created.uuid());
    }
  }

  World world() {
    return world;
  }

  SimulatedProcess director() {
    return director;
  }

  /** From now on this may go wrong. */
  void add(FaultRule rule) {
    world.faults().add(rule);
  }

  /** The store as the director sees it. */
  ObjectStore store() {
    return store(director);
  }

  ObjectStore store(SimulatedProcess process) {
    return world.storeFor(process, STORE_MEAN_NANOS);
  }

  Namespace open(SimulatedProcess process) {
    return open(process, store(process));
  }

  Namespace open(SimulatedProcess process, ObjectStore store) {
    return Lakestream.open(store, World.PLACE, process.environment());
  }

  Producer producer(Namespace stream, String id) throws InterruptedException {
    return stream.producer(id, EAGER, published -> world.acknowledged(id, published.seq()));
  }

  /** Writes a producer's next batches, each of which is a step before the next is written. */
  void write(Producer producer, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      writeOne(producer);
      producer.flush();
    }
  }

  /** Writes a producer's next batch. */
  void writeOne(Producer producer) throws InterruptedException {
    long seq = producer.recoveredTgbs() + producer.metrics().tgbsWritten();
    producer.write(Payloads.batch(MESH, producer.id(), seq), Long.toString(seq + 1));
  }

  /** A life in which a producer writes so many batches, in a process of its own choosing. */
  void produce(SimulatedProcess process, String id, int count) throws InterruptedException {
    try (Namespace stream = open(process);
        Producer producer = producer(stream, id)) {
      write(producer, count);
    }
  }

  /** Declares versions dead and deletes them. */
  void tidy(long boundary) throws IOException {
    ManifestLog log = new ManifestLog(store(), world.namespace());
    var unused = log.boundaries().raise(log.heads().find(0).boundary(), boundary);
    List<DeleteFailure> failures =
        log.store().delete(LongStream.rangeClosed(1, boundary).mapToObj(Names::manifest).toList());
    assertThat(failures).isEmpty();
  }

  void sleep(long seconds) throws InterruptedException {
    director.environment().clock().sleep(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Waits, on the virtual clock. */
  void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      director.environment().clock().sleep(LOOK_NANOS);
    }
  }

  /** Starts so many at once, each in a process of its own, and waits for all of them. */
  void together(int count, Role role) throws InterruptedException {
    boolean[] hasEnded = new boolean[count];
    for (int i = 0; i < count; i++) {
      int index = i;
      SimulatedProcess process = world.process("p" + i);
      process.start(
          "main",
          () -> {
            role.play(process.name(), process);
            hasEnded[index] = true;
          });
    }
    await(
        () -> {
          boolean haveAll = true;
          for (boolean one : hasEnded) {
            haveAll &= one;
          }
          return haveAll;
        });
  }

  /** Starts a process; the answer says whether it has come to its end. */
  BooleanSupplier start(SimulatedProcess process, Role role) {
    boolean[] hasEnded = new boolean[1];
    process.start(
        "main",
        () -> {
          role.play(process.name(), process);
          hasEnded[0] = true;
        });
    return () -> hasEnded[0];
  }

  /** How many batches of a producer are in the stream. */
  long stored(String producer) {
    return LongStream.range(0, world.history().size())
        .filter(step -> world.history().at(step).orElseThrow().producer().equals(producer))
        .count();
  }

  long headVersion() {
    try (Namespace stream = open(director)) {
      return stream.view().summary().version();
    }
  }

  /** Somebody who comes anew reads exactly so many batches of each producer, in order. */
  void assertHolds(Map<String, Integer> counts) throws InterruptedException {
    try (Namespace stream = open(director);
        Consumer consumer = stream.consumer(RANK, Cursor.start(stream.uuid()), TO_HEAD)) {
      assertReads(consumer, counts);
    }
  }

  /** A consumer reads exactly so many batches of each producer, in order. */
  void assertReads(Consumer consumer, Map<String, Integer> counts) throws InterruptedException {
    Map<String, List<String>> read = new TreeMap<>();
    Optional<RankBatch> batch = consumer.next();
    while (batch.isPresent()) {
      read.computeIfAbsent(batch.get().info().producer(), id -> new ArrayList<>())
          .add(Payloads.text(batch.get().payload()));
      batch = consumer.next();
    }
    Map<String, List<String>> expected = new TreeMap<>();
    counts.forEach(
        (id, count) ->
            expected.put(
                id,
                LongStream.range(0, count).mapToObj(seq -> Payloads.text(id, seq, CELL)).toList()));
    assertThat(read).isEqualTo(expected);
  }
}
