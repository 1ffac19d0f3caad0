// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What counts as text, and how its bytes become characters. */
final class TextBytes {
  /** Longest document: its characters and tokens still fit a few gigabytes of heap. */
  static final int DOCUMENT_BYTES_MAX = 256 * 1024 * 1024;

  /** How far a file is looked at for a NUL byte: what git and grep look at. */
  private static final int SNIFFED_BYTES = 8 * 1024;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private static final char REPLACEMENT = '\uFFFD';

  private static final Set<String> ARCHIVE_SUFFIXES =
      suffixes(
          "7z apk ar bz2 deb ear gz iso jar jmod lz4 lzma rar rpm snappy tar tbz2 tgz txz war whl"
              + " xz zip zst");

  private static final Set<String> BINARY_SUFFIXES =
      suffixes(
          "a aac arrow avi avif bin bmp br class dll docx dylib eot exe flac gif h5 heic ico jks"
              + " jpeg jpg m4a mkv mov mp3 mp4 mpeg npy npz o odt ogg onnx orc otf p12 parquet pdf"
              + " pickle pkl png pptx pt pth pyc pyo safetensors so sqlite tif tiff ttf wasm wav"
              + " webm webp woff woff2 xls xlsx");

  /** Encodings by their byte order marks, of which one begins with another: the longer first. */
  private static final List<String> OTHER_ENCODINGS =
      List.of("UTF-32LE", "UTF-32BE", "UTF-16LE", "UTF-16BE");

  private TextBytes() {}

  private static Set<String> suffixes(String text) {
    return Set.of(text.split(" ", -1));
  }

  /** Why a file cannot hold text, as far as its name tells. */
  static Optional<SkipReason> skipReason(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    int dot = lower.lastIndexOf('.');
    String suffix = dot > lower.lastIndexOf('/') ? lower.substring(dot + 1) : "";
    if (ARCHIVE_SUFFIXES.contains(suffix)) {
      return Optional.of(SkipReason.ARCHIVE);
    }
    return BINARY_SUFFIXES.contains(suffix) ? Optional.of(SkipReason.BINARY) : Optional.empty();
  }

  /**
   * Why a file's bytes are no text: there are none, or one of the first is NUL.
   *
   * @param label what the message calls the file
   * @throws UnusableInput if they are text in UTF-16 or UTF-32, which is full of NUL bytes
   */
  static Optional<SkipReason> skipReason(byte[] bytes, String label) {
    if (bytes.length == 0) {
      return Optional.of(SkipReason.EMPTY);
    }
    for (String encoding : OTHER_ENCODINGS) {
      if (isText(bytes, encoding)) {
        throw new UnusableInput(
            "%s is text in %s; convert it to UTF-8, such as with iconv, or take it out of the input"
                .formatted(label, encoding));
      }
    }
    for (int i = 0; i < Math.min(bytes.length, SNIFFED_BYTES); i++) {
      if (bytes[i] == 0) {
        return Optional.of(SkipReason.BINARY);
      }
    }
    return Optional.empty();
  }

  /** Whether bytes begin with the byte order mark of an encoding and go on as text in it. */
  private static boolean isText(byte[] bytes, String encoding) {
    Charset charset = Charset.forName(encoding);
    byte[] mark = BYTE_ORDER_MARK.getBytes(charset);
    int length = Math.min(bytes.length, SNIFFED_BYTES);
    if (length < mark.length || !Arrays.equals(bytes, 0, mark.length, mark, 0, mark.length)) {
      return false;
    }
    CharBuffer text = CharBuffer.allocate(SNIFFED_BYTES);
    ByteBuffer head = ByteBuffer.wrap(bytes, mark.length, length - mark.length);
    CoderResult result = charset.newDecoder().decode(head, text, false);
    return !result.isError()
        && text.flip()
            .chars()
            .allMatch(c -> !Character.isISOControl(c) || Character.isWhitespace(c));
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
