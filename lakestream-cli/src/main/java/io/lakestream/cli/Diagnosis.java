// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import static io.lakestream.cli.Table.left;
import static io.lakestream.cli.Table.sentence;

import io.lakestream.Lakestream;
import io.lakestream.Namespace;
import io.lakestream.StreamView;
import io.lakestream.model.LakestreamException;
import io.lakestream.model.NamespaceNotFound;
import io.lakestream.runtime.Environment;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import io.lakestream.store.StoreProbe;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code doctor} found.
 *
 * @param place the store
 * @param sound whether everything held
 * @param findings what was tried out
 * @param putMillis time to put an object of one byte, the median of a few, null if it cannot be put
 * @param getMillis time to get it, null likewise
 * @param freeBytes room on the disk, null for what is no disk
 * @param namespace the namespace that is there, null if there is none
 */
record Diagnosis(
    String place,
    boolean sound,
    List<Finding> findings,
    @Nullable Double putMillis,
    @Nullable Double getMillis,
    @Nullable Long freeBytes,
    @Nullable Found namespace) {

  /** An odd number, so that there is a median; few, since each may cost a request. */
  private static final int ROUNDS = 5;

  /**
   * Something that was tried out.
   *
   * @param claim what should hold
   * @param ok whether it does
   * @param detail what was seen if not, else empty
   */
  record Finding(String claim, boolean ok, String detail) {
    static Finding held(String claim) {
      return new Finding(claim, true, "");
    }

    static Finding failed(String claim, String detail) {
      return new Finding(claim, false, detail);
    }
  }

  /**
   * A namespace.
   *
   * @param uuid its uuid
   * @param mesh its mesh
   * @param version its head
   * @param steps how many steps it has
   * @param sealed whether it has its end
   */
  record Found(String uuid, String mesh, long version, long steps, boolean sealed) {
    @Override
    public String toString() {
      return "mesh %s, version %d, %s, %s"
          .formatted(mesh, version, Units.count(steps, "step"), sealed ? "sealed" : "open");
    }
  }

  static Diagnosis of(
      URI uri, ObjectStore store, Optional<FilePlace> files, Environment environment)
      throws IOException {
    List<Finding> findings = probe(store, environment);
    files.map(FilePlace::tryHardLink).ifPresent(findings::add);
    boolean canPut = findings.stream().allMatch(Finding::ok);
    double[] millis = canPut ? time(store, environment) : new double[0];
    Optional<Found> found = Optional.empty();
    try {
      found = find(uri);
    } catch (LakestreamException e) {
      findings.add(Finding.failed("the namespace can be read", String.valueOf(e.getMessage())));
    }
    return new Diagnosis(
        uri.toString(),
        findings.stream().allMatch(Finding::ok),
        findings,
        canPut ? millis[0] : null,
        canPut ? millis[1] : null,
        files.isPresent() ? files.get().freeBytes() : null,
        found.orElse(null));
  }

  private static List<Finding> probe(ObjectStore store, Environment environment)
      throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (StoreProbe.Finding finding : StoreProbe.run(store, environment).findings()) {
      findings.add(new Finding(finding.claim(), finding.isOk(), finding.detail()));
    }
    return findings;
  }

  /** Median times to put and to get an object of one byte, in milliseconds. */
  private static double[] time(ObjectStore store, Environment environment) throws IOException {
    String key = "probe/%016x/time".formatted(environment.entropy().nextLong());
    double[] putMillis = new double[ROUNDS];
    double[] getMillis = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long startNanos = System.nanoTime();
      store.put(key, Body.of(new byte[1]));
      long putNanos = System.nanoTime();
      var unused = store.read(key);
      putMillis[i] = Units.millis(putNanos - startNanos);
      getMillis[i] = Units.millis(System.nanoTime() - putNanos);
    }
    var unused = store.delete(List.of(key));
    Arrays.sort(putMillis);
    Arrays.sort(getMillis);
    return new double[] {putMillis[ROUNDS / 2], getMillis[ROUNDS / 2]};
  }

  private static Optional<Found> find(URI uri) {
    try (Namespace stream = Lakestream.open(uri.toString())) {
      StreamView.Summary summary = stream.view().summary();
      return Optional.of(
          new Found(
              stream.uuid().toString(),
              stream.mesh().toString(),
              summary.version(),
              summary.nextStep() - summary.firstStep(),
              summary.isSealed()));
    } catch (NamespaceNotFound e) {
      return Optional.empty();
    }
  }

  void print(Console console) {
    Table table = new Table(left("check"), left("result"), sentence("detail"));
    for (Finding finding : findings) {
      table.row(finding.claim, finding.ok ? "ok" : "FAILED", finding.detail);
    }
    table.print(console);
    console.print("");
    console.print("place      " + place);
    if (putMillis != null) {
      console.print("put, get   %.3f ms, %.3f ms for one byte".formatted(putMillis, getMillis));
    }
    if (freeBytes != null) {
      console.print("free disk  " + Units.bytes(freeBytes));
    }
    console.print("namespace  " + (namespace == null ? "none" : namespace));
    if (namespace != null) {
      console.print("uuid       " + namespace.uuid);
    }
    console.print("verdict    " + (sound ? "fit" : "NOT FIT: do not keep a namespace here"));
  }
}
