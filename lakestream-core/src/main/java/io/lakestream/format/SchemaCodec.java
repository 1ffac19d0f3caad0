// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.lakestream.format.proto.ContentTypeMessage;
import io.lakestream.format.proto.SchemaMessage;
import io.lakestream.format.proto.TensorKindMessage;
import io.lakestream.format.proto.TensorMessage;
import io.lakestream.model.ContentType;
import io.lakestream.model.CorruptObject;
import io.lakestream.model.DType;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.Schema;
import io.lakestream.model.TensorSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A {@link Schema} as the schema table and footers hold it, and the id that names it. */
public final class SchemaCodec {
  private SchemaCodec() {}

  /** First eight bytes, little-endian, of the SHA-256 of the schema's bytes. */
  public static long id(Schema schema) {
    byte[] digest = Id128.sha256().digest(toMessage(schema).toByteArray());
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

  static Schema decode(String key, ByteBuffer bytes) {
    try {
      return fromMessage(key, SchemaMessage.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptObject(key, "a schema", "a valid schema", e.getMessage() + "");
    }
  }

  static Schema fromMessage(String key, SchemaMessage message) {
    try {
      List<TensorSpec> tensors = new ArrayList<>();
      for (TensorMessage tensor : message.getTensorsList()) {
        DType dtype = DType.valueOf(tensor.getDtype());
        tensors.add(
            new TensorSpec(tensor.getName(), dtype, tensor.getShapeList(), kind(tensor.getKind())));
      }
      return new Schema(contentType(message.getContentType()), tensors);
    } catch (IllegalArgumentException | InvalidRequest e) {
      throw new CorruptObject(key, "a schema", "a valid schema", e.getMessage() + "");
    }
  }

  private static ContentType contentType(ContentTypeMessage type) {
    return switch (type) {
      case CONTENT_TYPE_RAW -> ContentType.RAW;
      case CONTENT_TYPE_SAFETENSORS -> ContentType.SAFETENSORS;
      case UNRECOGNIZED -> throw new IllegalArgumentException("an unknown content type");
    };
  }

  private static TensorSpec.Kind kind(TensorKindMessage kind) {
    return switch (kind) {
      case TENSOR_KIND_SEQUENCE -> TensorSpec.Kind.SEQUENCE;
      case TENSOR_KIND_ROWS -> TensorSpec.Kind.ROWS;
      case TENSOR_KIND_SHARED -> TensorSpec.Kind.SHARED;
      case UNRECOGNIZED -> throw new IllegalArgumentException("an unknown kind of tensor");
    };
  }
}
