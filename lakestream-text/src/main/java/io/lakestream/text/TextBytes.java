// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** What counts as text, and how its bytes become characters. */
final class TextBytes {
  /** Longest document: its characters and tokens still fit a few gigabytes of heap. */
  static final int DOCUMENT_BYTES_MAX = 256 * 1024 * 1024;

  /** How far a file is looked at for a NUL byte: what git and grep look at. */
  private static final int SNIFFED_BYTES = 8 * 1024;

  private static final char REPLACEMENT = '\uFFFD';

  private static final Set<String> BINARY_SUFFIXES =
      Set.of(
          ("7z a aac apk ar arrow avi avif bin bmp br bz2 class deb dll dylib eot exe"
                  + " flac gif gz h5 heic ico iso jar jks jmod jpeg jpg lz4 m4a mkv mov mp3 mp4"
                  + " mpeg npy npz o odt ogg onnx orc otf p12 parquet pdf pickle pkl png pt pth pyc"
                  + " pyo rar rpm safetensors snappy so sqlite tar tgz tif tiff ttf war wasm wav"
                  + " webm webp whl woff woff2 xls xlsx xz zip zst docx pptx")
              .split(" "));

  private TextBytes() {}

  /** Whether a name says that the file holds no text. */
  static boolean isBinaryName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    int dot = lower.lastIndexOf('.');
    return dot > lower.lastIndexOf('/') && BINARY_SUFFIXES.contains(lower.substring(dot + 1));
  }

  /** Whether a file's first bytes say that it holds no text: one of them is NUL. */
  static boolean isBinary(byte[] bytes) {
    for (int i = 0; i < Math.min(bytes.length, SNIFFED_BYTES); i++) {
      if (bytes[i] == 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * The characters of UTF-8 bytes.
   *
   * @param label what the message calls the file
   * @param start position of the first byte in that file
   * @throws UnusableInput if the bytes are not UTF-8
   */
  static String decode(byte[] bytes, String label, long start) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // The quick decoder puts this character for what is malformed; only then is it worth a look.
    if (text.indexOf(REPLACEMENT) >= 0) {
      checkWellFormed(bytes, label, start);
    }
    return text;
  }

  private static void checkWellFormed(byte[] bytes, String label, long start) {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    CharBuffer scratch = CharBuffer.allocate(SNIFFED_BYTES);
    var decoder = StandardCharsets.UTF_8.newDecoder();
    CoderResult result = CoderResult.OVERFLOW;
    while (result.isOverflow()) {
      result = decoder.decode(source, scratch.clear(), true);
    }
    if (result.isError()) {
      throw new UnusableInput(
          "%s is not UTF-8 at byte %d; convert it to UTF-8 or take it out of the input"
              .formatted(label, start + source.position()));
    }
  }
}
