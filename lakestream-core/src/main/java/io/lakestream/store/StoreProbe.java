// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.model.UnsupportedStore;
import io.lakestream.runtime.Environment;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tries out what safety rests on, in a store that is reachable: some stores accept a condition and
 * ignore it, some gateways lose it. It writes a few small objects under {@code probe/} and removes
 * them. That it finds nothing proves little about races; that it finds something proves enough.
 */
public final class StoreProbe {
  /** What the keys of all that it writes start with. */
  public static final String FOLDER = "probe/";

  /** Tries to get an answer other than {@link PutOutcome#UNKNOWN}. */
  private static final int TRIES_MAX = 5;

  private final ObjectStore store;
  private final Environment environment;
  private final String prefix;

  private StoreProbe(ObjectStore store, Environment environment) {
    this.store = store;
    this.environment = environment;
    this.prefix = FOLDER + String.format("%016x/", environment.entropy().nextLong());
  }

  /**
   * One claim about a store, tried out.
   *
   * @param claim what should hold
   * @param isOk whether it did
   * @param detail what was seen if it did not, else empty
   */
  public record Finding(String claim, boolean isOk, String detail) {}

  /**
   * What a probe found.
   *
   * @param findings every claim that was tried out
   */
  public record Report(List<Finding> findings) {

    /** Keeps a copy of {@code findings}. */
    public Report {
      findings = List.copyOf(findings);
    }

    /** True if every claim held. */
    public boolean isSound() {
      return findings.stream().allMatch(Finding::isOk);
    }

    /**
     * Returns if every claim held.
     *
     * @param place the store, for the message
     * @throws UnsupportedStore if one did not; the message names all that did not
     */
    public void requireSound(String place) {
      if (!isSound()) {
        StringBuilder message =
            new StringBuilder("the store " + place + " lacks what Lakestream rests on:");
        for (Finding finding : findings) {
          if (!finding.isOk()) {
            message.append(" \"").append(finding.claim()).append("\" failed: ");
            message.append(finding.detail()).append('.');
          }
        }
        throw new UnsupportedStore(message + " Use another store, or mend its settings");
      }
    }
  }

  /**
   * Tries out {@code store}.
   *
   * @throws TransientStoreException if the store failed in a way that allows no verdict
   * @throws InterruptedIOException if the thread was interrupted
   */
  public static Report run(ObjectStore store, Environment environment) throws IOException {
    return new StoreProbe(store, environment).run();
  }

  private Report run() throws IOException {
    List<Finding> findings = new ArrayList<>();
    try {
      Finding written = tryOut("objects can be written", this::write);
      if (!written.isOk()) {
        // Everything else would fail for the same reason, and bury it.
        return new Report(List.of(written));
      }
      findings.add(tryOut("a key that is taken is not created again", this::createTwice));
      findings.add(tryOut("of eight creates at once, one wins", this::race));
      findings.add(tryOut("what was written can be read", this::readAfterWrite));
      findings.add(tryOut("ranges and suffixes are exact", this::readRanges));
      findings.add(tryOut("a put replaces", this::replace));
      findings.add(tryOut("a listing shows what was written", this::listAfterWrite));
      findings.add(tryOut("what was deleted is gone", this::readAfterDelete));
    } finally {
      cleanUp();
    }
    return new Report(findings);
  }

  private static Finding tryOut(String claim, Trial trial) throws IOException {
    Finding finding;
    try {
      String trouble = trial.run();
      finding = new Finding(claim, trouble.isEmpty(), trouble);
    } catch (TransientStoreException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      finding = new Finding(claim, false, String.valueOf(e.getMessage()));
    }
    if (!finding.isOk() && Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("the probe was interrupted while it tried out: " + claim);
    }
    return finding;
  }

  private String write() throws IOException {
    String key = prefix + "write";
    PutOutcome outcome = create(key, "x");
    // The name is random, so what occupies it is a put of ours that a client sent twice.
    boolean isOurs = outcome == PutOutcome.OCCUPIED && expect(store.read(key), "x").isEmpty();
    return outcome == PutOutcome.CREATED || isOurs ? "" : "the create was answered " + outcome;
  }

  private String createTwice() throws IOException {
    String key = prefix + "twice";
    PutOutcome ignored = create(key, "first");
    PutOutcome second = create(key, "second");
    if (second != PutOutcome.OCCUPIED) {
      return "the second create was answered " + second;
    }
    return expect(store.read(key), "first");
  }

  private PutOutcome create(String key, String text) throws IOException {
    PutOutcome outcome = PutOutcome.UNKNOWN;
    for (int i = 0; i < TRIES_MAX && outcome == PutOutcome.UNKNOWN; i++) {
      outcome = store.putIfAbsent(key, body(text));
    }
    if (outcome == PutOutcome.UNKNOWN) {
      throw new TransientStoreException(
          "create of '%s': the store did not tell in %d tries whether it took effect; try again"
              .formatted(key, TRIES_MAX));
    }
    return outcome;
  }

  private String race() throws IOException {
    String trouble = "";
    for (int i = 0; i < TRIES_MAX; i++) {
      CreateRace race = new CreateRace(store, environment.tasks(), prefix + "race-" + i);
      race.run();
      if (race.isDecided()) {
        return race.trouble();
      }
      trouble = race.trouble();
    }
    return trouble;
  }

  private String readAfterWrite() throws IOException {
    String key = prefix + "read";
    if (store.read(key).isPresent()) {
      return "an object was there before it was written";
    }
    PutOutcome ignored = create(key, "0123456789");
    return expect(store.read(key), "0123456789");
  }

  private String readRanges() throws IOException {
    String key = prefix + "ranges";
    store.put(key, body("0123456789"));
    List<String> troubles =
        List.of(
            expect(store.read(key, 3, 4), "3456"),
            expect(store.read(key, 8, 4), "89"),
            expect(store.readSuffix(key, 3), "789"),
            expect(store.readSuffix(key, 20), "0123456789"),
            store.size(key).orElse(-1) == 10 ? "" : "the size is wrong");
    return troubles.stream().filter(trouble -> !trouble.isEmpty()).findFirst().orElse("");
  }

  private String replace() throws IOException {
    String key = prefix + "replace";
    store.put(key, body("old"));
    store.put(key, body("new"));
    return expect(store.read(key), "new");
  }

  private String listAfterWrite() throws IOException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      keys.add(prefix + "list/" + i);
      store.put(keys.get(i), body("x"));
    }
    List<String> listed = list(prefix + "list/");
    return listed.equals(keys) ? "" : "written were " + keys + ", listed were " + listed;
  }

  private String readAfterDelete() throws IOException {
    String key = prefix + "delete";
    store.put(key, body("x"));
    List<DeleteFailure> failures = store.delete(List.of(key));
    if (!failures.isEmpty()) {
      return failures.get(0).reason();
    }
    boolean isListed = list(prefix).contains(key);
    return isListed || store.read(key).isPresent() ? "a deleted object was still there" : "";
  }

  private List<String> list(String folder) throws IOException {
    return Listings.keys(store, folder);
  }

  /** What stays behind is harmless: no name below {@code probe/} is used twice. */
  private void cleanUp() {
    try {
      List<DeleteFailure> ignored = store.delete(list(prefix));
    } catch (IOException e) {
      return;
    }
  }

  private static String expect(Optional<ByteBuffer> found, String text) {
    if (found.isEmpty()) {
      return "no object was found where one was written";
    }
    String seen = StandardCharsets.UTF_8.decode(found.get()).toString();
    return seen.equals(text) ? "" : "expected '" + text + "' but read '" + seen + "'";
  }

  private static Body body(String text) {
    return Body.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Tries out one claim; returns what is wrong, or nothing. */
  @FunctionalInterface
  private interface Trial {
    String run() throws IOException;
  }
}
