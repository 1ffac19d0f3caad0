// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.proto.ProducerEntryMessage;
import java.util.Optional;

/**
 * What a manifest says of one producer: the state that a replacement process resumes from (paper
 * §5.3), and the term that fences an earlier process.
 *
 * @param id the producer's id as the user wrote it
 * @param epoch its term: the version that its opening created
 * @param nextSeq how many of its TGBs are published, over all its terms
 * @param offset the offset of the last of them, empty if there is none
 * @param lastVersion the version of its last commit
 * @param lastCommitId the id of its last commit
 * @param extra fields of a newer minor version, kept as they are
 */
public record ProducerEntry(
    String id,
    long epoch,
    long nextSeq,
    Optional<String> offset,
    long lastVersion,
    Id128 lastCommitId,
    UnknownFieldSet extra) {

  public ProducerEntry {
    offset.ifPresent(Descriptor::checkOffset);
    if (epoch < 0 || nextSeq < 0 || lastVersion < 0) {
      throw new MalformedRecord(
          "producer '%s' of epoch %d at seq %d and version %d"
              .formatted(id, epoch, nextSeq, lastVersion));
    }
  }

  ProducerEntryMessage toMessage() {
    ProducerEntryMessage.Builder message =
        ProducerEntryMessage.newBuilder()
            .setId(id)
            .setEpoch(epoch)
            .setNextSeq(nextSeq)
            .setLastVersion(lastVersion)
            .setLastCommitId(ByteString.copyFrom(lastCommitId.toBytes()))
            .setUnknownFields(extra);
    offset.ifPresent(message::setOffset);
    return message.build();
  }

  static ProducerEntry fromMessage(String key, ProducerEntryMessage message) {
    Names.requireProducer(message.getId());
    Id128 lastCommitId =
        Id128.read(key, "the entry of producer " + message.getId(), message.getLastCommitId());
    return new ProducerEntry(
        message.getId(),
        message.getEpoch(),
        message.getNextSeq(),
        message.hasOffset() ? Optional.of(message.getOffset()) : Optional.empty(),
        message.getLastVersion(),
        lastCommitId,
        message.getUnknownFields());
  }
}
