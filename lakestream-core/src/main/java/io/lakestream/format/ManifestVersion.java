// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.format;

/** A manifest version, known whole or in part: its header at least. */
public interface ManifestVersion {
  /** The header. */
  ManifestHeader header();

  /** The version. */
  default long version() {
    return header().version();
  }
}
