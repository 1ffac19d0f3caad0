// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.format.Boundary;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import io.lakestream.model.Mesh;
import io.lakestream.model.Pin;
import io.lakestream.sim.invariant.BoundedHead;
import io.lakestream.sim.invariant.ContiguousVersions;
import io.lakestream.sim.invariant.CreatedVersion;
import io.lakestream.sim.invariant.History;
import io.lakestream.sim.invariant.Invariant;
import io.lakestream.sim.invariant.KeptPromises;
import io.lakestream.sim.invariant.NeverFalling;
import io.lakestream.sim.invariant.NothingLeft;
import io.lakestream.sim.invariant.OnceAcknowledged;
import io.lakestream.sim.invariant.ProducerOrder;
import io.lakestream.sim.invariant.ReferencedExists;
import io.lakestream.sim.invariant.Skips;
import io.lakestream.store.Body;
import io.lakestream.store.MemoryStore;
import io.lakestream.store.ObjectStore;
import io.lakestream.testkit.fault.DelayedStore;
import io.lakestream.testkit.fault.Faults;
import io.lakestream.testkit.fault.FaultyStore;
import io.lakestream.testkit.simulation.SimulatedProcess;
import io.lakestream.testkit.simulation.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * One simulated stream: its store, what may go wrong with it, and what must hold of it. For use by
 * the tasks of its simulation.
 */
final class World implements WatchedStore.Watcher {
  static final String PLACE = "memory:///simulated";

  private final Simulation simulation;
  private final SplittableRandom random;
  private final Mesh mesh;
  private final WatchedStore store = new WatchedStore(new MemoryStore(), this);
  private final Map<String, ObjectStore> forks = new TreeMap<>();
  private final Faults faults;
  private final SimulatedProcess network;
  private final Trace trace = new Trace();
  private final History history = new History();
  private final Skips skips = new Skips();
  private final List<Invariant> invariants =
      List.of(
          new ContiguousVersions(),
          new OnceAcknowledged(),
          new ProducerOrder(),
          history,
          skips,
          new BoundedHead(),
          new NeverFalling(),
          new ReferencedExists(),
          new KeptPromises(),
          new NothingLeft());
  private final List<SimulatedProcess> living = new ArrayList<>();
  private Optional<UUID> namespace = Optional.empty();
  private long boundary;
  private long storeCalls;
  private boolean isOver;
  private final Set<String> pins = new TreeSet<>();

  World(Simulation simulation, Mesh mesh) {
    this.simulation = simulation;
    this.random = simulation.split();
    this.mesh = mesh;
    this.faults = new Faults(simulation.split());
    this.network = simulation.process("network", 0);
  }

  Simulation simulation() {
    return simulation;
  }

  /** Chance for the scenario. */
  SplittableRandom random() {
    return random;
  }

  Mesh mesh() {
    return mesh;
  }

  Faults faults() {
    return faults;
  }

  Trace trace() {
    return trace;
  }

  History history() {
    return history;
  }

  Skips skips() {
    return skips;
  }

  long storeCalls() {
    return storeCalls;
  }

  /** A new process, whose clock of the day is off by up to an hour. */
  SimulatedProcess process(String name) {
    return simulation.process(name, random.nextLong(-3_600_000, 3_600_000));
  }

  /** The store as a process sees it: some way off, and not to be relied on. */
  ObjectStore storeFor(SimulatedProcess process, long meanNanos) {
    return seen(store, process, meanNanos);
  }

  /** The store of the stream, or of a fork of it, as a process sees it. */
  ObjectStore storeFor(SimulatedProcess process, String place, long meanNanos) {
    ObjectStore target =
        place.equals(PLACE)
            ? store
            : forks.computeIfAbsent(place, unused -> new LastingStore(new MemoryStore()));
    return seen(target, process, meanNanos);
  }

  private ObjectStore seen(ObjectStore target, SimulatedProcess process, long meanNanos) {
    ObjectStore faulty =
        new FaultyStore(
            target, faults, process.environment(), network.environment(), process::kill);
    ObjectStore traced = new TracedStore(faulty, process.name(), this::called);
    return new DelayedStore(traced, process.environment(), meanNanos);
  }

  /** The stream as a process sees it, in a store that is {@code meanNanos} off. */
  Namespace open(SimulatedProcess process, long meanNanos) {
    return Lakestream.open(storeFor(process, meanNanos), PLACE, process.environment());
  }

  /** The stream, or a fork of it, as a process sees it. */
  Namespace open(SimulatedProcess process, String place, long meanNanos) {
    return Lakestream.open(
        storeFor(process, place, meanNanos),
        place,
        process.environment(),
        source -> storeFor(process, source, meanNanos));
  }

  private void called(String what) {
    storeCalls++;
    trace.add(simulation.nowNanos(), what);
  }

  /** Something worth telling happened. */
  void tell(String what) {
    trace.add(simulation.nowNanos(), what);
  }

  /** A producer was told that a batch is a step. */
  void acknowledged(String producer, long seq) {
    invariants.forEach(invariant -> invariant.acknowledged(producer, seq));
  }

  /** Somebody may rely on a step from now on. */
  void promised(String promise, long step) {
    invariants.forEach(invariant -> invariant.promised(promise, step));
  }

  /** Nobody relies on a promise any more. */
  void released(String promise) {
    invariants.forEach(invariant -> invariant.released(promise));
  }

  /** A pin was granted to somebody. */
  void pinned(Pin pin) {
    pins.add(pin.name());
    promised(Names.PINS + pin.name(), pin.step());
  }

  /** Somebody is about to take his pin back. */
  void unpinned(Pin pin) {
    pins.remove(pin.name());
    released(Names.PINS + pin.name());
  }

  /** Whether somebody was granted this pin and has not taken it back. */
  boolean isPinned(Pin pin) {
    return pins.contains(pin.name());
  }

  /** The life of a process begins; it has to end, or be killed. */
  void begins(SimulatedProcess process) {
    living.add(process);
  }

  /** The life of a process has ended by itself. */
  void ends(SimulatedProcess process) {
    living.remove(process);
  }

  /** Whether nobody lives any more. */
  boolean isQuiet() {
    living.removeIf(SimulatedProcess::isKilled);
    return living.isEmpty();
  }

  /** Those who go on until they are told so may end. */
  void end() {
    isOver = true;
  }

  boolean isOver() {
    return isOver;
  }

  /** Nothing changes any more. */
  void settled() {
    invariants.forEach(Invariant::settled);
  }

  /** The uuid of the stream's namespace. */
  UUID namespace() {
    return namespace.orElseThrow();
  }

  /** The namespace that the stream has, once it is created. */
  void created(UUID uuid) {
    namespace = Optional.of(uuid);
  }

  @Override
  public void put(String key, Body body) {
    invariants.forEach(invariant -> invariant.objectPut(key));
    ByteBuffer bytes = ByteBuffer.wrap(body.toArray());
    Names.manifestOf(key).ifPresent(version -> versionCreated(version, bytes));
    Names.boundaryOf(key).ifPresent(index -> boundaryCreated(index, bytes));
  }

  private void versionCreated(long version, ByteBuffer bytes) {
    long length = bytes.remaining();
    Manifest manifest = Manifest.decode(version, namespace.orElseThrow(), bytes);
    CreatedVersion created = CreatedVersion.of(manifest, length, boundary);
    invariants.forEach(invariant -> invariant.versionCreated(created));
  }

  private void boundaryCreated(long index, ByteBuffer bytes) {
    Boundary created = Boundary.decode(index, namespace.orElseThrow(), bytes);
    boundary = Math.max(boundary, created.version());
    invariants.forEach(invariant -> invariant.boundaryCreated(created));
  }

  @Override
  public void deleted(String key) {
    invariants.forEach(invariant -> invariant.objectDeleted(key));
  }
}
