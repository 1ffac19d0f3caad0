// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

/** Why a file or line of an input is left out. */
public enum SkipReason {
  /** An archive that is not the input itself, or a compressed file, by its name. */
  ARCHIVE("archive", "archives"),
  /** Something other than text, by its name or because of a NUL byte near its beginning. */
  BINARY("binary file", "binary files"),
  /** A link that leads nowhere. */
  BROKEN_LINK("broken link", "broken links"),
  /** A file of no bytes. */
  EMPTY("empty file", "empty files"),
  /** A line of a file of lines that is blank or has no text. */
  EMPTY_LINE("line without text", "lines without text"),
  /** A link to a folder, which may be there a second time or lead in a circle. */
  FOLDER_LINK("link to a folder", "links to folders"),
  /** A file or folder whose name begins with a dot; a folder counts once, whatever it holds. */
  HIDDEN("hidden file or folder", "hidden files or folders"),
  /** A pipe, a socket or a device. */
  SPECIAL("pipe, socket or device", "pipes, sockets or devices");

  private final String one;
  private final String many;

  SkipReason(String one, String many) {
    this.one = one;
    this.many = many;
  }

  /** A count in words, such as {@code 2 binary files}. */
  public String count(long count) {
    return count + " " + (count == 1 ? one : many);
  }

  /** What one of them is called. */
  @Override
  public String toString() {
    return one;
  }
}
