// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.mutant;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Looks for the first seed that finds a planted bug, by the invariant that it should break. */
public final class MutantHunt {
  private MutantHunt() {}

  /**
   * What came of it.
   *
   * @param name what was planted
   * @param invariant what it should break
   * @param isCaught whether a seed found it
   * @param seed the seed that did, or the last one tried
   * @param seedsTried how many were run
   * @param what what the seed said; if none found it, what the first that went wrong said
   */
  public record Catch(
      String name, String invariant, boolean isCaught, long seed, long seedsTried, String what) {}

  /**
   * Runs seeds with a bug until one finds it. One that goes wrong otherwise shows that the product
   * is broken, but not that its invariant is looked after.
   *
   * @param first the first seed
   * @param count how many to try at most
   */
  public static Catch run(Mutant mutant, long first, long count)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newCachedThreadPool(MutantHunt::daemon);
    try {
      Method run = entry(mutant);
      String scenario = Mutants.scenarioOf(mutant).name();
      String otherwise = "";
      for (long tried = 1; tried <= count; tried++) {
        long seed = first + tried - 1;
        String wrong = call(run, scenario, seed, threads).orElse("");
        if (wrong.startsWith(mutant.invariant() + ": ")) {
          return new Catch(mutant.name(), mutant.invariant(), true, seed, tried, wrong);
        }
        otherwise = otherwise.isEmpty() ? wrong : otherwise;
      }
      return new Catch(
          mutant.name(), mutant.invariant(), false, first + count - 1, count, otherwise);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "mutant");
    thread.setDaemon(true);
    return thread;
  }

  private static Method entry(Mutant mutant) throws IOException {
    try {
      return MutantLoader.of(mutant)
          .loadClass(MutantSeeds.class.getName())
          .getMethod("run", String.class, long.class, ExecutorService.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the product does not load with " + mutant.name(), e);
    }
  }

  private static Optional<String> call(
      Method run, String scenario, long seed, ExecutorService threads) throws InterruptedException {
    try {
      Object wrong = run.invoke(null, scenario, seed, threads);
      return wrong instanceof Optional<?> found ? found.map(Object::toString) : Optional.empty();
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      throw new IllegalStateException("the simulator failed at seed " + seed, e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError("the entry is public", e);
    }
  }
}
