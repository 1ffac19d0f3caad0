// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import java.io.IOException;
import java.net.URI;

/**
 * Opens stores of one URI scheme. Found through {@link java.util.ServiceLoader}; a provider has a
 * public constructor without arguments and no state, and is safe for use by several threads.
 */
public interface StoreProvider {

  /** The URI scheme in lower case, such as {@code file}. */
  String scheme();

  /**
   * Opens the store of one namespace: keys are relative to {@code uri}. The store need not exist
   * yet. Options travel as query parameters of the URI; credentials never do.
   *
   * @throws IllegalArgumentException if the URI has an unknown option or a bad value, which the
   *     message names
   * @throws IOException if the place cannot be reached or used
   */
  ObjectStore open(URI uri) throws IOException;
}
