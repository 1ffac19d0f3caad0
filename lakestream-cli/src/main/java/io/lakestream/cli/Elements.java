// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.DType;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Elements of tensors as people read them. */
final class Elements {
  private static final int HALF_EXPONENT_BITS = 5;
  private static final int HALF_MANTISSA_BITS = 10;

  private Elements() {}

  /** Takes the next element out of a little-endian buffer. */
  static String next(DType dtype, ByteBuffer data) {
    return switch (dtype) {
      case BOOL -> data.get() == 0 ? "false" : "true";
      case I8 -> Byte.toString(data.get());
      case U8 -> Integer.toString(Byte.toUnsignedInt(data.get()));
      case I16 -> Short.toString(data.getShort());
      case U16 -> Integer.toString(Short.toUnsignedInt(data.getShort()));
      case I32 -> Integer.toString(data.getInt());
      case U32 -> Integer.toUnsignedString(data.getInt());
      case I64 -> Long.toString(data.getLong());
      case U64 -> Long.toUnsignedString(data.getLong());
      case F32 -> Float.toString(data.getFloat());
      case F64 -> Double.toString(data.getDouble());
      case BF16 -> Float.toString(Float.intBitsToFloat(data.getShort() << 16));
      case F16 -> Float.toString(half(data.getShort()));
      case F8_E4M3, F8_E5M2 -> "0x" + HexFormat.of().toHexDigits(data.get());
    };
  }

  /** IEEE 754 binary16. Java has this from version 20 on. */
  static float half(short bits) {
    int exponent = (bits >> HALF_MANTISSA_BITS) & ((1 << HALF_EXPONENT_BITS) - 1);
    int mantissa = bits & ((1 << HALF_MANTISSA_BITS) - 1);
    float magnitude;
    if (exponent == (1 << HALF_EXPONENT_BITS) - 1) {
      magnitude = mantissa == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
    } else if (exponent == 0) {
      magnitude = Math.scalb((float) mantissa, -24);
    } else {
      magnitude = Math.scalb((float) (mantissa | 1 << HALF_MANTISSA_BITS), exponent - 25);
    }
    return bits < 0 ? -magnitude : magnitude;
  }
}
