// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import io.lakestream.format.Boundary;
import io.lakestream.format.Descriptor;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.EnvelopeDirectory;
import io.lakestream.format.FormatLimits;
import io.lakestream.format.Manifest;
import io.lakestream.format.ManifestHeader;
import io.lakestream.format.Names;
import io.lakestream.format.PartialManifest;
import io.lakestream.format.SegmentTree;
import io.lakestream.format.StreamTables;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.DataLoss;
import io.lakestream.model.StepReclaimed;
import io.lakestream.store.Body;
import io.lakestream.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows the head and finds the descriptors of steps, fetching of each version only what is
 * needed. For use by one thread.
 */
public final class StepLocator {
  /** Misses in a row after which the boundary is read too: the head may have died. */
  private static final int MISSES_MAX = 5;

  /** How often a version may vanish under a look-up before that is taken for damage. */
  private static final int LOOKUPS_MAX = 5;

  /** Versions skipped at most when catching up. */
  private static final long STRIDE_MAX = 1L << 20;

  private final ManifestLog log;
  private final ObjectStore store;
  private final Segments segments;
  private final HeadSearch<PartialManifest> heads;
  private final Map<Long, DescriptorBlock> chunks = new LinkedHashMap<>();

  private CheckedHead<PartialManifest> head;
  private @Nullable SegmentTree tree;
  private @Nullable StreamTables tables;
  private long stride = 1;
  private int misses;

  private StepLocator(
      ManifestLog log, HeadSearch<PartialManifest> heads, CheckedHead<PartialManifest> head) {
    this.log = log;
    this.store = log.store();
    this.segments = new Segments(store, log.namespace());
    this.heads = heads;
    this.head = head;
  }

  /**
   * A locator at the present head.
   *
   * @param known a version that existed, or 0
   */
  public static StepLocator open(ManifestLog log, long known) throws IOException {
    HeadSearch<PartialManifest> heads = search(log);
    return new StepLocator(log, heads, heads.find(known));
  }

  /** A locator at a head that was found before. */
  public static StepLocator at(ManifestLog log, CheckedHead<Manifest> head) {
    PartialManifest manifest = whole(log, head.manifest());
    return new StepLocator(log, search(log), new CheckedHead<>(manifest, head.boundary()));
  }

  private static HeadSearch<PartialManifest> search(ManifestLog log) {
    return new HeadSearch<>(
        log,
        () -> whole(log, Manifest.empty()),
        version -> readStart(log, version, FormatLimits.MANIFEST_BYTES_MAX));
  }

  private static PartialManifest whole(ManifestLog log, Manifest manifest) {
    byte[] bytes = Body.of(manifest.encode(log.namespace())).toArray();
    return PartialManifest.decode(manifest.version(), log.namespace(), ByteBuffer.wrap(bytes));
  }

  private static Optional<PartialManifest> readStart(ManifestLog log, long version, int bytes)
      throws IOException {
    return log.store()
        .read(Names.manifest(version), 0, bytes)
        .map(start -> PartialManifest.decode(version, log.namespace(), start));
  }

  /** The header of the head as it was last seen. */
  public ManifestHeader header() {
    return head.manifest().header();
  }

  /**
   * Looks for a newer head: one request if there is none, two if there is.
   *
   * @return whether the head moved
   */
  public boolean poll() throws IOException {
    while (true) {
      Optional<PartialManifest> next =
          readStart(log, head.version() + stride, PartialManifest.START_BYTES_MIN);
      if (next.isPresent()) {
        misses = 0;
        stride = Math.min(2 * stride, STRIDE_MAX);
        moveTo(next.get());
        return true;
      }
      if (stride == 1) {
        return missed();
      }
      stride = Math.max(1, stride / 4);
    }
  }

  /** A caller that waits between polls says so, since it is not behind then. */
  public void caughtUp() {
    stride = 1;
  }

  private boolean missed() throws IOException {
    if (++misses < MISSES_MAX) {
      return false;
    }
    misses = 0;
    Boundary boundary = log.boundaries().newest(head.boundary());
    return head.version() <= boundary.version() && refind();
  }

  private void moveTo(PartialManifest found) throws IOException {
    Optional<CheckedHead<PartialManifest>> checked = heads.check(found);
    if (checked.isPresent()) {
      replace(checked.get());
    } else {
      refind();
    }
  }

  private boolean refind() throws IOException {
    long before = head.version();
    replace(heads.find(0));
    return head.version() != before;
  }

  private void replace(CheckedHead<PartialManifest> newHead) {
    if (newHead.version() < head.version()) {
      throw new DataLoss(
          "the stream fell back from version %d to %d: was the store restored to an earlier state?"
              .formatted(head.version(), newHead.version()));
    }
    head = newHead;
    tree = null;
    tables = null;
    long tailFirst = header().tailFirst();
    chunks.values().removeIf(b -> b.endStep() <= tailFirst || isPartial(b));
  }

  private static boolean isPartial(DescriptorBlock block) {
    return block.endStep() % FormatLimits.CHUNK_STEPS != 0;
  }

  /**
   * The descriptor of a step below the head's {@code nextStep}.
   *
   * @throws StepReclaimed if the step was trimmed
   * @throws DataLoss if an object that should have it is gone
   * @throws CorruptObject if an object that should have it is damaged
   */
  public Descriptor descriptor(long step) throws IOException {
    return lookup(() -> step < header().tailFirst() ? inSegment(step) : inTail(step), step);
  }

  /**
   * The descriptor of a step that was trimmed but is still named by the head, for whoever removes
   * its data; empty if an object on the way is gone already.
   */
  public Optional<Descriptor> trimmedDescriptor(long step) throws IOException {
    try {
      return Optional.of(step < header().tailFirst() ? inSegment(step) : inTail(step));
    } catch (MissingObject e) {
      return Optional.empty();
    }
  }

  /** The schemas, skip ranges and sources of the stream at the head. */
  public StreamTables tables() throws IOException {
    return lookup(
        () -> {
          if (tables == null) {
            PartialManifest manifest = head.manifest();
            tables = manifest.tables(section(manifest.tablesEntry()));
          }
          return tables;
        },
        header().firstStep());
  }

  /** Part of the head that may turn out to be gone. */
  @FunctionalInterface
  private interface Lookup<T> {
    T find() throws IOException, MissingObject;
  }

  /**
   * Runs a look-up, again through a new head if the version died meanwhile: it may be deleted then,
   * or be another one under the same key.
   */
  private <T> T lookup(Lookup<T> lookup, long step) throws IOException {
    String missing = "";
    for (int i = 0; i < LOOKUPS_MAX; i++) {
      if (step < header().firstStep()) {
        throw new StepReclaimed(step, header().firstStep());
      }
      try {
        return lookup.find();
      } catch (MissingObject e) {
        missing = e.key();
      } catch (CorruptObject e) {
        if (!isDead()) {
          throw e;
        }
      }
      refind();
    }
    throw new DataLoss(
        "%s is missing, though step %d is found by it in manifest version %d; restore it"
            .formatted(missing, step, head.version()));
  }

  private boolean isDead() throws IOException {
    return head.version() <= log.boundaries().newest(head.boundary()).version();
  }

  private Descriptor inTail(long step) throws IOException, MissingObject {
    long chunk = step / FormatLimits.CHUNK_STEPS;
    DescriptorBlock known = chunks.get(chunk);
    if (known == null) {
      PartialManifest manifest = head.manifest();
      ByteBuffer body = section(manifest.chunkEntry(step));
      known = manifest.chunk(step, body).decode(Names.manifest(head.version()));
      chunks.put(chunk, known);
    }
    return known.at(step);
  }

  private Descriptor inSegment(long step) throws IOException, MissingObject {
    if (tree == null) {
      PartialManifest manifest = head.manifest();
      tree = manifest.tree(section(manifest.treeEntry()));
    }
    return segments.find(tree, step).at(step);
  }

  private ByteBuffer section(EnvelopeDirectory.Entry entry) throws IOException, MissingObject {
    PartialManifest manifest = head.manifest();
    if (manifest.has(entry)) {
      return manifest.bytes(entry);
    }
    String key = Names.manifest(head.version());
    return store
        .read(key, entry.offset(), entry.length())
        .orElseThrow(() -> new MissingObject(key));
  }
}
