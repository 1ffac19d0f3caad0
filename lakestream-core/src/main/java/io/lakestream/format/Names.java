// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

import io.lakestream.model.InvalidRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys of a namespace's objects. A key is never used for two contents: new bytes take a new key
 * (the hint apart, which nobody trusts).
 *
 * <pre>
 * namespace.json
 * manifest/00000000000000000011.manifest
 * manifest/_hint
 * boundary/00000000000000000003
 * segment/00000000000000000128-00000000000000000255-0f0e0d0c0b0a09080706050403020100
 * archive/0f0e0d0c0b0a09080706050403020100
 * data/be/pack-007-31-12-0123456789abcdef.tgb
 * pin/00000000000000004711-0123456789abcdef
 * </pre>
 *
 * <p>{@link GroupNames} has those of training jobs.
 */
public final class Names {
  public static final String NAMESPACE = "namespace.json";
  public static final String HINT = "manifest/_hint";
  public static final String DATA = "data/";
  public static final String MANIFESTS = "manifest/";
  public static final String BOUNDARIES = "boundary/";
  public static final String SEGMENTS = "segment/";
  public static final String ARCHIVES = "archive/";
  public static final String PINS = "pin/";
  public static final String PROVENANCE_SUFFIX = ".provenance";

  private static final Pattern MANIFEST = numbered(MANIFESTS, "\\.manifest");
  private static final Pattern BOUNDARY = numbered(BOUNDARIES, "");

  /** Numbers of up to 18 digits: what a producer reaches in the life of a stream. */
  private static final Pattern DATA_KEY =
      Pattern.compile(
          "data/[0-9a-f]{2}/([a-z0-9=._-]+)-(\\d{1,18})-(\\d{1,18})-[0-9a-f]{16}"
              + "(?:(?:\\.part\\d{5,})?\\.tgb|\\.provenance)");

  private static final String PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789._-";

  /** As many as the largest long has, and one more. */
  private static final int DIGITS = 20;

  private static final int PART_DIGITS = 5;

  private Names() {}

  /** Manifest {@code version}. */
  public static String manifest(long version) {
    return MANIFESTS + padded(version) + ".manifest";
  }

  /** The {@code index}-th boundary. */
  public static String boundary(long index) {
    return BOUNDARIES + padded(index);
  }

  /** The segment or index node that covers steps {@code first} to {@code last}. */
  public static String segment(long first, long last, Id128 hash) {
    return SEGMENTS + padded(first) + "-" + padded(last) + "-" + hash;
  }

  /** A run of retired producers. */
  public static String archive(Id128 hash) {
    return ARCHIVES + hash;
  }

  /** A promise that the stream may be resumed from a step. */
  public static String pin(long step, long random) {
    return PINS + padded(step) + "-" + HexFormat.of().toHexDigits(random);
  }

  /**
   * What the key of an object of batches says.
   *
   * @param escapedProducer the producer's id as {@link #escape} makes it
   * @param epoch its term
   * @param lastSeq the last seq in the object
   */
  public record DataName(String escapedProducer, long epoch, long lastSeq) {}

  /** What a key says, if it is that of an object of batches or of their provenance. */
  public static Optional<DataName> dataOf(String key) {
    Matcher matcher = DATA_KEY.matcher(key);
    return matcher.matches()
        ? Optional.of(
            new DataName(
                matcher.group(1),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3))))
        : Optional.empty();
  }

  /** Which version a key is of, if it is that of a manifest. */
  public static OptionalLong manifestOf(String key) {
    return numberOf(MANIFEST.matcher(key));
  }

  /** Which index a key is of, if it is that of a boundary. */
  public static OptionalLong boundaryOf(String key) {
    return numberOf(BOUNDARY.matcher(key));
  }

  private static Pattern numbered(String folder, String end) {
    return Pattern.compile(Pattern.quote(folder) + "(\\d{" + DIGITS + "})" + end);
  }

  private static OptionalLong numberOf(Matcher matcher) {
    return matcher.matches() ? numberOf(matcher.group(1)) : OptionalLong.empty();
  }

  /** The number that {@link #padded} makes these digits of, if there is one. */
  static OptionalLong numberOf(String digits) {
    return digits.compareTo(padded(Long.MAX_VALUE)) <= 0
        ? OptionalLong.of(Long.parseLong(digits))
        : OptionalLong.empty();
  }

  /**
   * An object of TGBs.
   *
   * @param producer the producer's id as the user wrote it
   * @param lastSeq the last seq in the object
   * @param random a number that makes the name one of its own
   */
  public static String data(String producer, long epoch, long lastSeq, long random) {
    return spread(stem(producer, epoch, lastSeq, random), ".tgb");
  }

  /** Part {@code part} of an image that is cut over several objects. */
  public static String dataPart(String producer, long epoch, long lastSeq, long random, long part) {
    return spread(
        stem(producer, epoch, lastSeq, random), ".part" + padded(part, PART_DIGITS) + ".tgb");
  }

  /** The sidecar that holds the provenance of one TGB. */
  public static String provenance(String producer, long epoch, long seq, long random) {
    return spread(stem(producer, epoch, seq, random), PROVENANCE_SUFFIX);
  }

  private static String stem(String producer, long epoch, long seq, long random) {
    return escape(producer) + "-" + epoch + "-" + seq + "-" + HexFormat.of().toHexDigits(random);
  }

  static String padded(long number) {
    return padded(number, DIGITS);
  }

  /**
   * Keys sort as their numbers do. Not by a formatter, whose digits depend on the language and
   * which takes longer than reading a small object.
   */
  static String padded(long number, int digits) {
    String text = Long.toString(number);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }

  /** Spreads the request load of a busy store over 256 prefixes. */
  private static String spread(String stem, String suffix) {
    int hash = Checksum.of(ByteBuffer.wrap((stem + suffix).getBytes(StandardCharsets.UTF_8)));
    return DATA + HexFormat.of().toHexDigits((byte) hash) + "/" + stem + suffix;
  }

  /**
   * A user's name as part of a key: bytes of its UTF-8 other than {@code [a-z0-9._-]} become {@code
   * =} and two hex digits.
   *
   * @throws InvalidRequest if the name is empty or no Unicode, or longer than 64 bytes once escaped
   */
  public static String escape(String name) {
    return escape("producer id", name);
  }

  static String escape(String what, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (!new String(bytes, StandardCharsets.UTF_8).equals(name)) {
      throw new InvalidRequest("a %s with half a surrogate pair: '%s'".formatted(what, name));
    }
    StringBuilder escaped = new StringBuilder();
    for (byte b : bytes) {
      if (PLAIN.indexOf((char) b) >= 0) {
        escaped.append((char) b);
      } else {
        escaped.append('=').append(HexFormat.of().toHexDigits(b));
      }
    }
    if (escaped.isEmpty() || escaped.length() > FormatLimits.NAME_BYTES_MAX) {
      throw new InvalidRequest(
          "a %s has 1 to %d bytes once escaped ([a-z0-9._-] stay, others take three), not"
                  .formatted(what, FormatLimits.NAME_BYTES_MAX)
              + " %d: '%s'".formatted(escaped.length(), name));
    }
    return escaped.toString();
  }

  /** What {@link #escape} made a part of a key from, or empty if it never makes that part. */
  static Optional<String> unescape(String part) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (int i = 0; i < part.length(); i++) {
        if (part.charAt(i) == '=') {
          bytes.write(HexFormat.fromHexDigits(part, i + 1, i + 3));
          i += 2;
        } else {
          bytes.write(part.charAt(i));
        }
      }
      String name = bytes.toString(StandardCharsets.UTF_8);
      return escape(name).equals(part) ? Optional.of(name) : Optional.empty();
    } catch (IllegalArgumentException | IndexOutOfBoundsException | InvalidRequest e) {
      return Optional.empty();
    }
  }

  /**
   * Checks a producer's id.
   *
   * @throws InvalidRequest as {@link #escape} does
   */
  static void requireProducer(String id) {
    String unused = escape(id);
  }
}
