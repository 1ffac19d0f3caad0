// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import io.lakestream.bench.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A temporary folder and the processes that work in it, which go together when it is closed. */
public final class Stage implements AutoCloseable {
  private final Path folder;
  private final List<ChildProcess> processes = new ArrayList<>();
  private Ending ending;

  /** What becomes of the folder. */
  public enum Ending {
    /** It goes. */
    DELETE,
    /** It stays, to be looked at. */
    KEEP
  }

  private Stage(Path folder, Ending ending) {
    this.folder = folder;
    this.ending = ending;
  }

  /** A stage with a new folder among the system's temporary ones. */
  public static Stage open(String prefix, Ending ending) throws IOException {
    return new Stage(Files.createTempDirectory(prefix), ending);
  }

  /** A stage with a new folder in {@code place}, which is created if need be. */
  public static Stage open(Path place, String prefix, Ending ending) throws IOException {
    return new Stage(Files.createTempDirectory(Files.createDirectories(place), prefix), ending);
  }

  /** The folder. */
  public Path folder() {
    return folder;
  }

  /** A folder below that of the stage, which is created if need be. */
  public Path folder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  /** Whether the folder stays. */
  public boolean isKept() {
    return ending == Ending.KEEP;
  }

  /** Lets the folder stay, whatever was said before. */
  public void keep() {
    ending = Ending.KEEP;
  }

  /**
   * Starts a process, which ends no later than the stage.
   *
   * @param name what it is called
   * @param log takes what it prints, behind what is there
   * @param command made by {@link Launcher}
   */
  public ChildProcess start(String name, Path log, List<String> command) throws IOException {
    processes.removeIf(process -> !process.isAlive());
    ChildProcess process = ChildProcess.start(name, log, command);
    processes.add(process);
    return process;
  }

  /** Ends all processes, then deletes the folder unless it is to stay. */
  @Override
  public void close() throws IOException {
    // Closing may be the answer to an interrupt, which must not keep the folder from going.
    boolean isInterrupted = Thread.interrupted();
    processes.forEach(ChildProcess::kill);
    try {
      for (ChildProcess process : processes) {
        process.join();
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    try {
      if (ending == Ending.DELETE) {
        WorkFolder.delete(folder);
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
