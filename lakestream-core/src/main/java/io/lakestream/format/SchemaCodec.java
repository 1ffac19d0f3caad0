// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.ByteString;
import io.lakestream.format.proto.ContentTypeMessage;
import io.lakestream.format.proto.SchemaMessage;
import io.lakestream.format.proto.TensorKindMessage;
import io.lakestream.format.proto.TensorMessage;
import io.lakestream.model.ContentType;
import io.lakestream.model.DType;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import io.lakestream.model.UnsupportedFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A {@link Schema} as the schema table and footers hold it, and the id that names it. */
public final class SchemaCodec {
  private SchemaCodec() {}

  /** First eight bytes, little-endian, of the SHA-256 of the schema's bytes. */
  public static long id(Schema schema) {
    return id(toMessage(schema).toByteString());
  }

  static long id(ByteString stored) {
    byte[] digest = Id128.sha256().digest(stored.toByteArray());
    return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** Encoded length in bytes. */
  static int bytes(Schema schema) {
    return toMessage(schema).getSerializedSize();
  }

  static SchemaMessage toMessage(Schema schema) {
    SchemaMessage.Builder message = SchemaMessage.newBuilder();
    message.setContentType(
        schema.contentType() == ContentType.RAW
            ? ContentTypeMessage.CONTENT_TYPE_RAW
            : ContentTypeMessage.CONTENT_TYPE_SAFETENSORS);
    for (TensorSpec tensor : schema.tensors()) {
      message.addTensors(
          TensorMessage.newBuilder()
              .setName(tensor.name())
              .setDtype(tensor.dtype().name())
              .addAllShape(tensor.shape())
              .setKind(TensorKindMessage.valueOf("TENSOR_KIND_" + tensor.kind().name())));
    }
    return message.build();
  }

  /**
   * The schema in a message that was stored whole.
   *
   * @throws UnsupportedFormat if it has something that only a newer version understands
   * @throws InvalidRequest if it is no schema
   */
  static Schema fromMessage(String key, SchemaMessage message) {
    List<TensorSpec> tensors = new ArrayList<>();
    for (TensorMessage tensor : message.getTensorsList()) {
      tensors.add(
          new TensorSpec(
              tensor.getName(), dtype(key, tensor), tensor.getShapeList(), kind(key, tensor)));
    }
    return new Schema(contentType(key, message), tensors);
  }

  private static ContentType contentType(String key, SchemaMessage message) {
    return switch (message.getContentType()) {
      case CONTENT_TYPE_RAW -> ContentType.RAW;
      case CONTENT_TYPE_SAFETENSORS -> ContentType.SAFETENSORS;
      case UNRECOGNIZED ->
          throw unsupported(key, "the content type " + message.getContentTypeValue());
    };
  }

  private static DType dtype(String key, TensorMessage tensor) {
    return Arrays.stream(DType.values())
        .filter(dtype -> dtype.name().equals(tensor.getDtype()))
        .findFirst()
        .orElseThrow(() -> unsupported(key, "the element type " + tensor.getDtype()));
  }

  private static TensorSpec.Kind kind(String key, TensorMessage tensor) {
    return switch (tensor.getKind()) {
      case TENSOR_KIND_SEQUENCE -> TensorSpec.Kind.SEQUENCE;
      case TENSOR_KIND_ROWS -> TensorSpec.Kind.ROWS;
      case TENSOR_KIND_SHARED -> TensorSpec.Kind.SHARED;
      case UNRECOGNIZED -> throw unsupported(key, "the kind of tensor " + tensor.getKindValue());
    };
  }

  /** For a value that is stored whole and that this version cannot interpret. */
  static UnsupportedFormat unsupported(String key, String what) {
    return new UnsupportedFormat(
        "%s has %s, which this version of Lakestream does not know; upgrade Lakestream"
            .formatted(key, what));
  }
}
