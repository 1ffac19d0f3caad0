// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Descriptor;
import io.lakestream.format.DescriptorBlock;
import io.lakestream.format.Manifest;
import io.lakestream.format.Names;
import java.util.ArrayList;
import java.util.List;

/**
 * A manifest version that was created.
 *
 * @param manifest the version
 * @param tail the descriptors in it, from {@code tailFirst} on
 * @param bytes its length
 * @param isDead whether it was at or below the boundary by then: nobody may believe it
 */
public record CreatedVersion(Manifest manifest, List<Descriptor> tail, long bytes, boolean isDead) {
  public CreatedVersion {
    tail = List.copyOf(tail);
  }

  /** As it was created above or below a boundary. */
  public static CreatedVersion of(Manifest manifest, long bytes, long boundary) {
    List<Descriptor> tail = new ArrayList<>();
    manifest
        .chunks()
        .forEach(
            chunk -> {
              DescriptorBlock block = chunk.decode(Names.manifest(manifest.version()));
              for (long step = block.firstStep(); step < block.endStep(); step++) {
                tail.add(block.at(step));
              }
            });
    return new CreatedVersion(manifest, tail, bytes, manifest.version() <= boundary);
  }

  long number() {
    return manifest.version();
  }

  long tailFirst() {
    return manifest.header().tailFirst();
  }

  long nextStep() {
    return manifest.header().nextStep();
  }
}
