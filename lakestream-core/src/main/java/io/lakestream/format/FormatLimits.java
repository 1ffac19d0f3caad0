// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

/** The bounds of format 1. A reader may rely on them; a writer must keep them. */
public final class FormatLimits {
  /** Descriptors of one chunk of a manifest's tail: what a follower near the head reads at once. */
  public static final int CHUNK_STEPS = 64;

  /** Steps of one segment: two chunks, so that a segment of the longest descriptors fits a tail. */
  public static final int SEGMENT_STEPS = 128;

  /** Children of one index node: ten million steps need three levels above the segments. */
  public static final int FAN_OUT = 32;

  /** Descriptors of a tail: a reader this far behind the head needs nothing but the manifest. */
  public static final int TAIL_STEPS_MAX = 512;

  /** Bytes of a tail. */
  public static final int TAIL_BYTES_MAX = 48 * 1024;

  /** Bytes of a manifest: one cheap request, and the bound on the cost of a commit. */
  public static final int MANIFEST_BYTES_MAX = 128 * 1024;

  /**
   * Bytes of a manifest that only commits which cannot wait may use (retirement, sealing,
   * trimming), so that a full manifest can always be relieved.
   */
  public static final int MANIFEST_BYTES_RESERVED = 2 * 1024;

  /** Bytes of a manifest that all other commits may fill. */
  public static final int MANIFEST_BYTES_FREE = MANIFEST_BYTES_MAX - MANIFEST_BYTES_RESERVED;

  /**
   * Bytes of the producers' section that openings may fill, each active producer counted with an
   * offset of {@link #OFFSET_BYTES_COUNTED}: about a thousand producers of ids of twenty bytes.
   */
  public static final int PRODUCER_TABLE_BYTES_MAX = 96 * 1024;

  /** Bytes of offset that an opening counts for every active producer. */
  public static final int OFFSET_BYTES_COUNTED = 40;

  /** Bytes of the section with schemas, skip ranges and sources. */
  public static final int TABLES_BYTES_MAX = 8 * 1024;

  /** Characters of the reason for a skip: a line for people, in a table of few bytes. */
  public static final int SKIP_REASON_MAX = 200;

  /** Retired producers kept in the manifest before they must go to an archive run. */
  public static final int RETIRED_MAX = 64;

  /** Archive runs of one level before they must be merged. */
  public static final int ARCHIVE_RUNS_MAX = 8;

  /**
   * Bytes of a producer id or a group name after escaping, so that object names stay below every
   * store's limit.
   */
  public static final int NAME_BYTES_MAX = 64;

  /** Bytes of a user's offset in UTF-8. */
  public static final int OFFSET_BYTES_MAX = 64;

  /** Bytes of a slice index inside a descriptor; a longer one is left to the footer. */
  public static final int SLICE_INDEX_BYTES_MAX = 64;

  /** Schemas of a stream. */
  public static final int SCHEMAS_MAX = 16;

  /** Bytes of one encoded schema. */
  public static final int SCHEMA_BYTES_MAX = 4 * 1024;

  /** Bytes of provenance kept in the footer; more goes to a sidecar object. */
  public static final int PROVENANCE_INLINE_BYTES_MAX = 64 * 1024;

  /** Bytes of an image, and of what lies before it in its object: sums of them never overflow. */
  public static final long IMAGE_BYTES_MAX = 1L << 60;

  /** Stored bytes of one slice: what a reader can hold in one buffer. */
  public static final int SLICE_BYTES_MAX = Integer.MAX_VALUE - 8;

  /** Parts of one image, so that no reader loops for ever over a damaged descriptor. */
  public static final int PARTS_MAX = 10_000;

  private FormatLimits() {}
}
