// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.lakestream.format.proto.ForkSourceMessage;
import io.lakestream.format.proto.SchemaEntryMessage;
import io.lakestream.format.proto.SchemaMessage;
import io.lakestream.format.proto.SkipRangeMessage;
import io.lakestream.format.proto.TablesMessage;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The short tables of a manifest that change rarely.
 *
 * @param schemas what TGBs of the stream consist of; the last of them says of what kind new ones
 *     are
 * @param skips ranges of steps to be skipped, from the next start of a job on
 * @param sources the namespaces that a fork's first steps come from, those of the lowest steps
 *     first; the last is the one that it was forked from
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
   * @param id as {@link SchemaCodec#id} computes it from the stored bytes
   * @param schema what this version understands of them
   * @param stored the bytes as their writer encoded them
   * @param extra fields of a newer minor version, kept as they are
   */
  public record SchemaEntry(long id, Schema schema, ByteString stored, UnknownFieldSet extra) {

    /** A schema of this version. */
    public static SchemaEntry of(Schema schema) {
      ByteString stored = SchemaCodec.toMessage(schema).toByteString();
      return new SchemaEntry(
          SchemaCodec.id(stored), schema, stored, UnknownFieldSet.getDefaultInstance());
    }
  }

  /**
   * Steps to be skipped.
   *
   * @param first the first of them
   * @param last the last of them
   * @param reason why
   * @param version the manifest version that recorded it: a job skips it from a start of this
   *     version on
   * @param extra fields of a newer minor version, kept as they are
   */
  public record SkipRange(
      long first, long last, String reason, long version, UnknownFieldSet extra) {
    public SkipRange {
      if (first < 0 || last < first || version < 0) {
        throw new MalformedRecord(
            "a skip of steps %d to %d in version %d".formatted(first, last, version));
      }
    }

    /** Those of its steps that are below one, which is above its first. */
    public SkipRange below(long step) {
      return new SkipRange(first, Math.min(last, step - 1), reason, version, extra);
    }

    /** A skip without fields that this version does not know. */
    public SkipRange(long first, long last, String reason, long version) {
      this(first, last, reason, version, UnknownFieldSet.getDefaultInstance());
    }
  }

  /**
   * Where the first steps of a fork come from.
   *
   * @param uri the namespace that has them
   * @param uuid its uuid
   * @param endStep steps below come from it
   * @param extra fields of a newer minor version, kept as they are
   */
  public record ForkSource(String uri, UUID uuid, long endStep, UnknownFieldSet extra) {
    public ForkSource {
      if (endStep < 0) {
        throw new MalformedRecord("a fork at step " + endStep);
      }
    }

    /** A source without fields that this version does not know. */
    public ForkSource(String uri, UUID uuid, long endStep) {
      this(uri, uuid, endStep, UnknownFieldSet.getDefaultInstance());
    }

    /** The one of a fork's sources that has a step, or empty if the fork itself has. */
    public static Optional<ForkSource> of(long step, List<ForkSource> sources) {
      return sources.stream().filter(source -> step < source.endStep()).findFirst();
    }
  }

  public StreamTables {
    schemas = List.copyOf(schemas);
    skips = List.copyOf(skips);
    sources = List.copyOf(sources);
  }

  /** The namespace that this one was forked from. */
  public Optional<ForkSource> parent() {
    return sources.isEmpty() ? Optional.empty() : Optional.of(sources.get(sources.size() - 1));
  }

  /** The first step whose batch is in this namespace and not in one that it was forked from. */
  public long ownFrom() {
    return parent().map(ForkSource::endStep).orElse(0L);
  }

  /** The schema with an id. */
  public Optional<Schema> schema(long id) {
    return schemas.stream().filter(entry -> entry.id() == id).map(SchemaEntry::schema).findFirst();
  }

  /** The schema that the stream has come to; none as long as it has no TGB. */
  public Optional<Schema> newestSchema() {
    return schemas.isEmpty()
        ? Optional.empty()
        : Optional.of(schemas.get(schemas.size() - 1).schema());
  }

  /** The tables with a schema that they have as the newest. */
  public StreamTables withNewest(Schema schema) {
    long id = SchemaCodec.id(schema);
    List<SchemaEntry> sorted = new ArrayList<>(schemas);
    // A stable sort: what is not the newest keeps its order.
    sorted.sort(Comparator.comparing(entry -> entry.id() == id));
    return new StreamTables(sorted, skips, sources, extra);
  }

  /**
   * The tables with a schema added, unless it is there.
   *
   * @throws InvalidRequest if the stream has as many schemas, or as much of them, as it may
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
    more.add(SchemaEntry.of(schema));
    StreamTables grown = new StreamTables(more, skips, sources, extra);
    int bytes = grown.bytes();
    if (bytes > FormatLimits.TABLES_BYTES_MAX) {
      throw new InvalidRequest(
          ("the stream's %d schemas and %d skip ranges would take %d bytes, of %d that they may:"
                  + " use fewer tensors")
              .formatted(more.size(), skips.size(), bytes, FormatLimits.TABLES_BYTES_MAX));
    }
    return grown;
  }

  /** Encoded length in bytes. */
  public int bytes() {
    return toMessage().getSerializedSize();
  }

  /**
   * The tables with a range added.
   *
   * @throws InvalidRequest if they have no room for it
   */
  public StreamTables withSkip(SkipRange range) {
    List<SkipRange> more = new ArrayList<>(skips);
    more.add(range);
    StreamTables grown = new StreamTables(schemas, more, sources, extra);
    int bytes = grown.bytes();
    if (bytes > FormatLimits.TABLES_BYTES_MAX) {
      throw new InvalidRequest(
          ("the stream's %d skip ranges and %d schemas would take %d bytes, of %d that they may:"
                  + " give shorter reasons and fewer, longer ranges; a range that is trimmed"
                  + " makes room")
              .formatted(more.size(), schemas.size(), bytes, FormatLimits.TABLES_BYTES_MAX));
    }
    return grown;
  }

  /** The tables without the ranges that lie below a step, whose steps are gone. */
  public StreamTables withoutSkipsBelow(long firstStep) {
    List<SkipRange> rest = skips.stream().filter(skip -> skip.last() >= firstStep).toList();
    return rest.size() == skips.size() ? this : new StreamTables(schemas, rest, sources, extra);
  }

  TablesMessage toMessage() {
    TablesMessage.Builder message = TablesMessage.newBuilder();
    schemas.forEach(entry -> message.addSchemas(toMessage(entry)));
    skips.forEach(skip -> message.addSkips(toMessage(skip)));
    sources.forEach(source -> message.addSources(toMessage(source)));
    return message.setUnknownFields(extra).build();
  }

  private static SchemaEntryMessage toMessage(SchemaEntry entry) {
    return SchemaEntryMessage.newBuilder()
        .setId(entry.id())
        .setSchema(entry.stored())
        .setUnknownFields(entry.extra())
        .build();
  }

  private static SkipRangeMessage toMessage(SkipRange skip) {
    return SkipRangeMessage.newBuilder()
        .setFirst(skip.first())
        .setLast(skip.last())
        .setReason(skip.reason())
        .setVersion(skip.version())
        .setUnknownFields(skip.extra())
        .build();
  }

  private static ForkSourceMessage toMessage(ForkSource source) {
    return ForkSourceMessage.newBuilder()
        .setUri(source.uri())
        .setUuid(ByteString.copyFrom(Id128.of(source.uuid()).toBytes()))
        .setEndStep(source.endStep())
        .setUnknownFields(source.extra())
        .build();
  }

  static StreamTables fromMessage(String key, TablesMessage message)
      throws InvalidProtocolBufferException {
    List<SchemaEntry> schemas = new ArrayList<>();
    for (SchemaEntryMessage entry : message.getSchemasList()) {
      schemas.add(schemaEntry(key, entry));
    }
    List<SkipRange> skips = new ArrayList<>();
    for (SkipRangeMessage skip : message.getSkipsList()) {
      skips.add(
          new SkipRange(
              skip.getFirst(),
              skip.getLast(),
              skip.getReason(),
              skip.getVersion(),
              skip.getUnknownFields()));
    }
    List<ForkSource> sources = new ArrayList<>();
    for (ForkSourceMessage source : message.getSourcesList()) {
      Id128 uuid = Id128.read(key, "the uuid of a fork's source", source.getUuid());
      sources.add(
          new ForkSource(
              source.getUri(), uuid.toUuid(), source.getEndStep(), source.getUnknownFields()));
    }
    return new StreamTables(schemas, skips, sources, message.getUnknownFields());
  }

  private static SchemaEntry schemaEntry(String key, SchemaEntryMessage entry)
      throws InvalidProtocolBufferException {
    ByteString stored = entry.getSchema();
    long id = SchemaCodec.id(stored);
    if (id != entry.getId()) {
      throw new CorruptObject(
          key,
          "a schema",
          "one of id %016x".formatted(entry.getId()),
          "one of id %016x".formatted(id));
    }
    Schema schema = SchemaCodec.fromMessage(key, SchemaMessage.parseFrom(stored));
    return new SchemaEntry(id, schema, stored, entry.getUnknownFields());
  }
}
