// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.format.proto.CpLayoutMessage;
import io.lakestream.model.CpLayout;

/** A {@link CpLayout} as footers and descriptors hold it. */
final class LayoutCodec {
  private LayoutCodec() {}

  static CpLayoutMessage toMessage(CpLayout layout) {
    return switch (layout) {
      case OPAQUE -> CpLayoutMessage.CP_LAYOUT_OPAQUE;
      case CONTIGUOUS -> CpLayoutMessage.CP_LAYOUT_CONTIGUOUS;
      case ZIGZAG -> CpLayoutMessage.CP_LAYOUT_ZIGZAG;
    };
  }

  /**
   * The layout in a message.
   *
   * @param number the number on the wire, for messages
   * @throws io.lakestream.model.UnsupportedFormat if a newer version wrote one that is not known
   */
  static CpLayout fromMessage(String key, CpLayoutMessage layout, int number) {
    return switch (layout) {
      case CP_LAYOUT_OPAQUE -> CpLayout.OPAQUE;
      case CP_LAYOUT_CONTIGUOUS -> CpLayout.CONTIGUOUS;
      case CP_LAYOUT_ZIGZAG -> CpLayout.ZIGZAG;
      case UNRECOGNIZED -> throw SchemaCodec.unsupported(key, "the context layout " + number);
    };
  }
}
