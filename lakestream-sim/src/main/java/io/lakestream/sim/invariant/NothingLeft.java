// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim.invariant;

import io.lakestream.format.Boundary;
import io.lakestream.format.GroupNames;
import io.lakestream.format.GroupNames.Kind;
import io.lakestream.format.Names;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * I7: after quiescence and reclamation the store holds exactly what is referenced, the versions
 * above the boundary, the boundary chain, hint, archive and namespace record, the live pins, and of
 * each job the start whose ranks have reported and those after it.
 */
public final class NothingLeft implements Invariant {
  private final References references = new References();
  private final Set<String> objects = new TreeSet<>();
  private final Set<String> pins = new TreeSet<>();
  private long boundary;

  @Override
  public void objectPut(String key) {
    objects.add(key);
  }

  @Override
  public void objectDeleted(String key) {
    objects.remove(key);
  }

  @Override
  public void versionCreated(CreatedVersion version) {
    if (!version.isDead()) {
      references.moveTo(version);
    }
  }

  @Override
  public void boundaryCreated(Boundary created) {
    boundary = Math.max(boundary, created.version());
  }

  @Override
  public void promised(String promise, long step) {
    if (promise.startsWith(Names.PINS)) {
      pins.add(promise);
    }
  }

  @Override
  public void released(String promise) {
    pins.remove(promise);
  }

  @Override
  public void settled() {
    Map<String, Long> starts = confirmedStarts();
    for (String key : objects) {
      if (!isDue(key, starts)) {
        throw new Violation("I7", key + " is left, though nothing refers to it");
      }
    }
    Set<String> due = references.all();
    due.addAll(pins);
    for (String key : due) {
      if (!objects.contains(key)) {
        throw new Violation("I7", key + " is gone, though it is needed");
      }
    }
  }

  /** By group, the newest start that was certainly granted: ranks reported, or it was removed. */
  private Map<String, Long> confirmedStarts() {
    Map<String, Long> starts = new TreeMap<>();
    objects.stream()
        .flatMap(key -> GroupNames.parse(key).stream())
        .filter(parsed -> parsed.kind() == Kind.REPORT || parsed.kind() == Kind.REMOVED)
        .forEach(parsed -> starts.merge(parsed.group(), parsed.number(), Math::max));
    return starts;
  }

  private boolean isDue(String key, Map<String, Long> starts) {
    OptionalLong version = Names.manifestOf(key);
    if (version.isPresent()) {
      return version.getAsLong() > boundary;
    }
    Optional<GroupNames.Parsed> start = GroupNames.parse(key);
    if (start.isPresent()) {
      return start.get().number() >= starts.getOrDefault(start.get().group(), 0L);
    }
    return references.contains(key)
        || pins.contains(key)
        || key.equals(Names.NAMESPACE)
        || key.equals(Names.HINT)
        || key.startsWith("archive/")
        || key.startsWith("boundary/");
  }
}
