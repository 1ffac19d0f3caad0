// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.proto.DescriptorBlockMessage;
import io.lakestream.format.proto.DescriptorMessage;
import io.lakestream.format.proto.WriterMessage;
import io.lakestream.model.CorruptObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A run of consecutive descriptors that can be read by itself: a chunk of a manifest's tail, or of
 * a segment. Producers and schemas are named once in the block and referred to by index.
 *
 * @param firstStep step of the first descriptor
 * @param descriptors the descriptors, one for each step
 * @param extra fields of a newer minor version, kept as they are
 */
public record DescriptorBlock(long firstStep, List<Descriptor> descriptors, UnknownFieldSet extra) {

  public DescriptorBlock {
    descriptors = List.copyOf(descriptors);
  }

  /** A block without fields that this version does not know. */
  public static DescriptorBlock of(long firstStep, List<Descriptor> descriptors) {
    return new DescriptorBlock(firstStep, descriptors, UnknownFieldSet.getDefaultInstance());
  }

  /** One past the last step. */
  public long endStep() {
    return firstStep + descriptors.size();
  }

  /** The descriptor of a step of this block. */
  public Descriptor at(long step) {
    return descriptors.get(Math.toIntExact(step - firstStep));
  }

  /** The block with more descriptors at its end. */
  DescriptorBlock append(List<Descriptor> more) {
    List<Descriptor> all = new ArrayList<>(descriptors);
    all.addAll(more);
    return new DescriptorBlock(firstStep, all, extra);
  }

  /** The block's bytes; equal blocks have equal bytes. */
  byte[] encode() {
    Map<WriterMessage, Integer> writers = new LinkedHashMap<>();
    Map<Long, Integer> schemas = new LinkedHashMap<>();
    DescriptorBlockMessage.Builder block = DescriptorBlockMessage.newBuilder();
    block.setFirstStep(firstStep);
    long version = descriptors.isEmpty() ? 0 : descriptors.get(0).version();
    block.setFirstVersion(version);
    for (Descriptor descriptor : descriptors) {
      WriterMessage writer =
          WriterMessage.newBuilder()
              .setProducer(descriptor.producer())
              .setEpoch(descriptor.epoch())
              .build();
      DescriptorMessage.Builder message = encode(descriptor);
      message.setWriter(writers.computeIfAbsent(writer, w -> writers.size()));
      message.setSchema(schemas.computeIfAbsent(descriptor.schemaId(), s -> schemas.size()));
      message.setVersionDelta(descriptor.version() - version);
      version = descriptor.version();
      block.addDescriptors(message);
    }
    block.addAllWriters(writers.keySet()).addAllSchemas(schemas.keySet());
    return block.setUnknownFields(extra).build().toByteArray();
  }

  private static DescriptorMessage.Builder encode(Descriptor descriptor) {
    ImageLocation image = descriptor.image();
    DescriptorMessage.Builder message =
        DescriptorMessage.newBuilder()
            .setSeq(descriptor.seq())
            .setOffset(descriptor.offset())
            .setObjectRandom(image.random())
            .setObjectLastSeqDelta(image.lastSeq() - descriptor.seq())
            .setObjectOffset(image.objectOffset())
            .setLength(image.length())
            .setPartBytes(image.partBytes())
            .setFooterLength(image.footerLength())
            .setFooterCrc(image.footerCrc())
            .setCpLayout(LayoutCodec.toMessage(descriptor.cpLayout()))
            .setUnknownFields(descriptor.extra());
    if (descriptor.sliceIndex() instanceof SliceIndex.Uniform uniform) {
      message.setUniformSlice(uniform.length());
    } else if (descriptor.sliceIndex() instanceof SliceIndex.Lengths lengths) {
      message.setSliceLengths(ByteString.copyFrom(SliceIndex.Varints.encode(lengths.lengths())));
    }
    return message;
  }

  /**
   * The block in {@code bytes}.
   *
   * @param key the object that holds it, for messages
   * @throws CorruptObject if the bytes are no block
   */
  static DescriptorBlock decode(String key, ByteBuffer bytes) {
    return Decoding.of(
        key,
        "a descriptor block",
        "valid descriptors",
        () -> decode(key, DescriptorBlockMessage.parseFrom(bytes)));
  }

  private static DescriptorBlock decode(String key, DescriptorBlockMessage block) {
    block.getWritersList().forEach(writer -> Names.requireProducer(writer.getProducer()));
    List<Descriptor> descriptors = new ArrayList<>(block.getDescriptorsCount());
    long version = block.getFirstVersion();
    for (DescriptorMessage message : block.getDescriptorsList()) {
      version = Math.addExact(version, message.getVersionDelta());
      descriptors.add(decode(key, block, message, version));
    }
    return new DescriptorBlock(block.getFirstStep(), descriptors, block.getUnknownFields());
  }

  private static Descriptor decode(
      String key, DescriptorBlockMessage block, DescriptorMessage message, long version) {
    WriterMessage writer = block.getWriters(message.getWriter());
    ImageLocation image =
        new ImageLocation(
            message.getObjectRandom(),
            Math.addExact(message.getSeq(), message.getObjectLastSeqDelta()),
            message.getObjectOffset(),
            message.getLength(),
            message.getPartBytes(),
            message.getFooterLength(),
            message.getFooterCrc());
    return new Descriptor(
        writer.getProducer(),
        writer.getEpoch(),
        message.getSeq(),
        message.getOffset(),
        version,
        image,
        sliceIndex(message),
        LayoutCodec.fromMessage(key, message.getCpLayout(), message.getCpLayoutValue()),
        block.getSchemas(message.getSchema()),
        message.getUnknownFields());
  }

  private static SliceIndex sliceIndex(DescriptorMessage message) {
    return switch (message.getSliceIndexCase()) {
      case UNIFORM_SLICE -> new SliceIndex.Uniform(message.getUniformSlice());
      case SLICE_LENGTHS ->
          new SliceIndex.Lengths(
              SliceIndex.Varints.decode(message.getSliceLengths().asReadOnlyByteBuffer()));
      case SLICEINDEX_NOT_SET -> new SliceIndex.InFooter();
    };
  }
}
