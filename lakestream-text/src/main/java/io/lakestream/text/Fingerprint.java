// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.zip.Checksum;

/** Eight hexadecimal digits that tell one way of packing from another. */
final class Fingerprint {
  /** Goes up when the same settings make other batches than before. */
  private static final String RULES = "packing 1";

  private static final int DIGITS = 8;

  private Fingerprint() {}

  /** Of all that decides what a packer makes of a listing: tokenizer, shape, share and field. */
  static String of(Documents documents, Tokenizer tokenizer, PackingSettings settings) {
    List<String> parts =
        List.of(
            RULES,
            tokenizer.identity(),
            settings.mesh().toString(),
            settings.cpLayout().name(),
            Integer.toString(settings.sequenceLength()),
            Integer.toString(settings.rowsPerReplica()),
            Integer.toString(settings.blocksPerRank()),
            documents.identity());
    return new Sha256()
        .add(String.join("\n", parts).getBytes(StandardCharsets.UTF_8))
        .hex()
        .substring(0, DIGITS);
  }

  /** A checksum in the same form. */
  static String of(Checksum checksum) {
    return String.format(Locale.ROOT, "%08x", checksum.getValue());
  }
}
