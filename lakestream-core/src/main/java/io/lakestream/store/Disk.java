// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The file calls that change a {@link FileStore}, in one place so that a test can make each of them
 * fail.
 */
interface Disk {

  /** Creates {@code file}, which must not exist, with the bytes of {@code body}. */
  void write(Path file, Body body, Durability durability) throws IOException;

  /** Makes {@code name}, which must not exist, a second name of {@code file}. Atomic. */
  void link(Path name, Path file) throws IOException;

  /** How many names {@code file} has, or 1 if the file system does not tell. */
  int linkCount(Path file) throws IOException;

  /** Renames {@code from} to {@code to}, replacing it if it exists. Atomic. */
  void replace(Path from, Path to) throws IOException;

  /** Creates a folder whose parent exists. */
  void createFolder(Path folder) throws IOException;

  /** Forces the names in {@code folder} to the disk. */
  void syncFolder(Path folder) throws IOException;
}
