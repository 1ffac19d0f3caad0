// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.commit;

import io.lakestream.format.Manifest;
import io.lakestream.format.ProducerEntry;
import io.lakestream.model.ProducerFenced;
import java.util.Optional;

/**
 * A producer's term, which every one of its commits carries.
 *
 * @param producer the producer's id
 * @param epoch the version that its opening created
 */
public record Term(String producer, long epoch) {

  /** The present term of a producer in a manifest, or empty if it has none. */
  public static Optional<Term> of(String producer, Manifest manifest) {
    return manifest.producers().active(producer).map(entry -> new Term(producer, entry.epoch()));
  }

  /**
   * The producer's entry in a manifest, which must be of this term.
   *
   * @throws ProducerFenced if it is of another term or there is none
   */
  public ProducerEntry entryIn(Manifest manifest) {
    Optional<ProducerEntry> active = manifest.producers().active(producer);
    Optional<ProducerEntry> known = active.or(() -> manifest.producers().retired(producer));
    if (known.isPresent() && known.get().epoch() != epoch) {
      throw new ProducerFenced(
          ("producer '%s' of epoch %d was taken over by another process in version %d;"
                  + " stop this one, or give each process an id of its own")
              .formatted(producer, epoch, known.get().epoch()));
    }
    return active.orElseThrow(
        () ->
            new ProducerFenced(
                ("producer '%s' of epoch %d was retired at or before version %d, by an operator or"
                        + " because it had not committed for many versions; open it again to go on"
                        + " behind its last published batch")
                    .formatted(producer, epoch, manifest.version())));
  }

  /** Whether this is the producer's present term in a manifest. */
  public boolean isCurrentIn(Manifest manifest) {
    return of(producer, manifest).filter(this::equals).isPresent();
  }
}
