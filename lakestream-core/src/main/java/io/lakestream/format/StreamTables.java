// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.proto.ForkSourceMessage;
import io.lakestream.format.proto.SchemaEntryMessage;
import io.lakestream.format.proto.SkipRangeMessage;
import io.lakestream.format.proto.TablesMessage;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The short tables of a manifest that change rarely.
 *
 * @param schemas what TGBs of the stream consist of
 * @param skips ranges of steps to be skipped, from the next start of a job on
 * @param sources the namespaces that a fork's first steps come from
 * @param extra fields of a newer minor version, kept as they are
 */
public record StreamTables(
    List<SchemaEntry> schemas,
    List<SkipRange> skips,
    List<ForkSource> sources,
    UnknownFieldSet extra) {

  /** The tables of a new stream. */
  public static final StreamTables EMPTY =
      new StreamTables(List.of(), List.of(), List.of(), UnknownFieldSet.getDefaultInstance());

  /**
   * A schema under its id.
   *
   * @param id as {@link SchemaCodec#id} computes it
   */
  public record SchemaEntry(long id, Schema schema) {}

  /** Steps {@code first} to {@code last} inclusive, and why they are skipped. */
  public record SkipRange(long first, long last, String reason) {}

  /** Steps below {@code endStep} come from the namespace at {@code uri}. */
  public record ForkSource(String uri, UUID uuid, long endStep) {}

  public StreamTables {
    schemas = List.copyOf(schemas);
    skips = List.copyOf(skips);
    sources = List.copyOf(sources);
  }

  /** The schema with an id. */
  public Optional<Schema> schema(long id) {
    return schemas.stream().filter(entry -> entry.id() == id).map(SchemaEntry::schema).findFirst();
  }

  /**
   * The tables with a schema added, unless it is there.
   *
   * @throws InvalidRequest if the stream has as many schemas as it may
   */
  public StreamTables withSchema(Schema schema) {
    long id = SchemaCodec.id(schema);
    if (schema(id).isPresent()) {
      return this;
    }
    if (schemas.size() >= FormatLimits.SCHEMAS_MAX) {
      throw new InvalidRequest(
          "the stream has %d schemas already; batches of yet another kind belong in another stream"
              .formatted(schemas.size()));
    }
    if (SchemaCodec.bytes(schema) > FormatLimits.SCHEMA_BYTES_MAX) {
      throw new InvalidRequest(
          "a schema has at most %d bytes encoded, not %d: use fewer tensors or shorter names"
              .formatted(FormatLimits.SCHEMA_BYTES_MAX, SchemaCodec.bytes(schema)));
    }
    List<SchemaEntry> more = new ArrayList<>(schemas);
    more.add(new SchemaEntry(id, schema));
    return new StreamTables(more, skips, sources, extra);
  }

  TablesMessage toMessage() {
    TablesMessage.Builder message = TablesMessage.newBuilder();
    for (SchemaEntry entry : schemas) {
      message.addSchemas(
          SchemaEntryMessage.newBuilder()
              .setId(entry.id())
              .setSchema(SchemaCodec.toMessage(entry.schema()).toByteString()));
    }
    for (SkipRange skip : skips) {
      message.addSkips(
          SkipRangeMessage.newBuilder()
              .setFirst(skip.first())
              .setLast(skip.last())
              .setReason(skip.reason()));
    }
    for (ForkSource source : sources) {
      Id128 uuid =
          new Id128(
              source.uuid().getMostSignificantBits(), source.uuid().getLeastSignificantBits());
      message.addSources(
          ForkSourceMessage.newBuilder()
              .setUri(source.uri())
              .setUuid(ByteString.copyFrom(uuid.toBytes()))
              .setEndStep(source.endStep()));
    }
    return message.setUnknownFields(extra).build();
  }

  static StreamTables fromMessage(String key, TablesMessage message) {
    List<SchemaEntry> schemas = new ArrayList<>();
    for (SchemaEntryMessage entry : message.getSchemasList()) {
      Schema schema = SchemaCodec.decode(key, entry.getSchema().asReadOnlyByteBuffer());
      schemas.add(new SchemaEntry(entry.getId(), schema));
    }
    List<SkipRange> skips =
        message.getSkipsList().stream()
            .map(skip -> new SkipRange(skip.getFirst(), skip.getLast(), skip.getReason()))
            .toList();
    List<ForkSource> sources = new ArrayList<>();
    for (ForkSourceMessage source : message.getSourcesList()) {
      List<Id128> uuid = SegmentTree.unpacked(key, source.getUuid());
      if (uuid.size() == 1) {
        UUID id = new UUID(uuid.get(0).high(), uuid.get(0).low());
        sources.add(new ForkSource(source.getUri(), id, source.getEndStep()));
      }
    }
    return new StreamTables(schemas, skips, sources, message.getUnknownFields());
  }
}
