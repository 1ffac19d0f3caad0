// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The real disk, whose calls are recorded and fail as told. */
final class FakeDisk implements Disk {
  private final Disk disk = new SystemDisk();
  private final Path root;
  private final List<String> calls = new ArrayList<>();
  private final Map<String, Step> stepsBefore = new TreeMap<>();
  private final Map<String, Exception> failuresBefore = new TreeMap<>();
  private final Map<String, Exception> failuresAfter = new TreeMap<>();

  FakeDisk(Path root) {
    this.root = root;
  }

  /** The calls since the last look, each with the name it changes relative to the root. */
  List<String> takeCalls() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  /** Lets every call fail instead of taking effect. */
  void failBefore(String call, Exception failure) {
    failuresBefore.put(call, failure);
  }

  /** Lets every call fail after it took effect. */
  void failAfter(String call, Exception failure) {
    failuresAfter.put(call, failure);
  }

  /** Runs something before every call. */
  void runBefore(String call, Step step) {
    stepsBefore.put(call, step);
  }

  void heal() {
    stepsBefore.clear();
    failuresBefore.clear();
    failuresAfter.clear();
  }

  @Override
  public void write(Path file, Body body, Durability durability) throws IOException {
    run("write " + durability, file, () -> disk.write(file, body, durability));
  }

  @Override
  public void link(Path name, Path file) throws IOException {
    run("link", name, () -> disk.link(name, file));
  }

  @Override
  public int linkCount(Path file) throws IOException {
    return disk.linkCount(file);
  }

  @Override
  public void replace(Path from, Path to) throws IOException {
    run("replace", to, () -> disk.replace(from, to));
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    run("createFolder", folder, () -> disk.createFolder(folder));
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    run("syncFolder", folder, () -> disk.syncFolder(folder));
  }

  private void run(String call, Path file, Step step) throws IOException {
    Path name = file.startsWith(root) ? root.relativize(file) : file.getFileName();
    boolean isTemp = name.startsWith(FileStore.TEMP_FOLDER) && name.getNameCount() > 1;
    calls.add(call + " " + (isTemp ? "temp" : name.toString()));
    Step before = stepsBefore.get(call);
    if (before != null) {
      before.run();
    }
    fail(failuresBefore.get(call));
    step.run();
    fail(failuresAfter.get(call));
  }

  private static void fail(@Nullable Exception failure) throws IOException {
    if (failure instanceof IOException io) {
      throw io;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
  }

  /** Something that a disk does. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }
}
