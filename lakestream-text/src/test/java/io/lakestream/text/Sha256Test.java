// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Known hashes, from the standard. */
class Sha256Test {
  private static final String OF_ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void theHashOfNothingAndOfTheStandardsExample() {
    Sha256 hash = new Sha256();
    assertThat(hash.hex())
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assertThat(hash.add("abc".getBytes(US_ASCII)).hex()).isEqualTo(OF_ABC);
  }

  @Test
  void bytesMayComeInPartsAndABufferStaysAsItIs() {
    ByteBuffer rest = ByteBuffer.wrap("abc".getBytes(US_ASCII)).position(1);
    Sha256 hash = new Sha256().add("a".getBytes(US_ASCII));
    assertThat(hash.hex()).isNotEqualTo(OF_ABC);
    assertThat(hash.add(rest).hex()).isEqualTo(OF_ABC);
    assertThat(rest.position()).isEqualTo(1);
  }
}
