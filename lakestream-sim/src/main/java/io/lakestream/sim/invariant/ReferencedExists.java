// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import java.util.Set;
import java.util.TreeSet;

/** I5: whatever is referenced at or after {@code firstStep} exists. */
public final class ReferencedExists implements Invariant {
  private final References references = new References();
  private final Set<String> objects = new TreeSet<>();

  @Override
  public void objectPut(String key) {
    objects.add(key);
  }

  @Override
  public void versionCreated(CreatedVersion version) {
    if (version.isDead()) {
      return;
    }
    references.moveTo(version);
    for (String key : references.all()) {
      if (!objects.contains(key)) {
        throw new Violation(
            "I5", "version %d refers to %s, which is not there".formatted(version.number(), key));
      }
    }
  }

  @Override
  public void objectDeleted(String key) {
    objects.remove(key);
    if (references.contains(key)) {
      throw new Violation(
          "I5",
          "%s was deleted, which a step at or after the first, %d, needs"
              .formatted(key, references.firstStep()));
    }
  }
}
