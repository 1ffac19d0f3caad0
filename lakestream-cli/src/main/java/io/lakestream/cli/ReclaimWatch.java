// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.Lifecycle;
import io.lakestream.Namespace;
import io.lakestream.model.CommitContended;
import io.lakestream.model.CommitUnknown;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.Reclaimed;
import io.lakestream.model.StoreUnavailable;
import io.lakestream.policy.ReclaimSettings;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Passes of reclamation, one after another until a stop. A pass that has begun may end, as long as
 * the stop leaves it time; one that is cut off leaves nothing that the next pass does not find.
 */
final class ReclaimWatch {
  private final Console console;
  private final Namespace stream;
  private final Lifecycle lifecycle;
  private final ReclaimSettings settings;
  private final JsonOption json;

  /** The first step before a pass that may have given up steps, and failed. */
  private OptionalLong unfinished = OptionalLong.empty();

  private long passes;
  private long failures;
  private long steps;
  private long objects;

  ReclaimWatch(Console console, Namespace stream, ReclaimSettings settings, JsonOption json) {
    this.console = console;
    this.stream = stream;
    this.lifecycle = stream.lifecycle();
    this.settings = settings;
    this.json = json;
  }

  /** Returns when a stop is requested. */
  void run(long everySeconds) throws Exception {
    Stop stop = console.stop();
    try {
      while (!stop.isRequested()) {
        tryOnce();
        stop.interruptible(
            () -> {
              TimeUnit.SECONDS.sleep(everySeconds);
              return everySeconds;
            });
      }
    } catch (InterruptedException e) {
      // Ctrl-C is how watching ends.
    } finally {
      console.status().clear();
    }
    if (!json.isJson()) {
      console.print(summary());
    }
  }

  private void tryOnce() throws Exception {
    try {
      Reclamation pass = console.stop().bounded(this::pass);
      passes++;
      show(pass);
    } catch (StoreUnavailable | CommitUnknown | CommitContended e) {
      if (console.stop().isRequested()) {
        throw new InterruptedException("a pass was cut off");
      }
      fail(e);
    }
  }

  private Reclamation pass() throws InterruptedException {
    long before = unfinished.orElseGet(() -> stream.view().summary().firstStep());
    unfinished = OptionalLong.of(before);
    Reclaimed reclaimed = lifecycle.reclaim(settings);
    unfinished = OptionalLong.empty();
    return Reclamation.done(before, reclaimed);
  }

  private void show(Reclamation pass) {
    if (pass.didSomething()) {
      steps += pass.firstStep() - pass.before();
      objects += pass.dataObjects() + pass.orphans() + pass.segments() + pass.manifests();
    }
    json.printLines(
        console,
        List.of(pass),
        () -> {
          if (pass.didSomething()) {
            console.status().clear();
            console.print(pass.line());
          }
        });
    console.flush();
    if (console.isErrorTerminal()) {
      console
          .status()
          .show(
              "%s; first step %d; %s"
                  .formatted(Units.count(passes, "pass"), pass.firstStep(), pass.holder()));
    }
  }

  private void fail(LakestreamException failure) {
    failures++;
    console.note("a pass failed, the next one tries again: " + failure.getMessage());
  }

  private String summary() {
    return "stopped after %s%s: %s given up, %s deleted"
        .formatted(
            Units.count(passes, "pass"),
            failures == 0 ? "" : " and %s".formatted(Units.count(failures, "failed one")),
            Units.count(steps, "step"),
            Units.count(objects, "object"));
  }
}
