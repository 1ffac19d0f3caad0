// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

/**
 * An object that a {@link ObjectStore#delete} could not delete.
 *
 * @param key the object's key
 * @param reason what the store said, for people
 */
public record DeleteFailure(String key, String reason) {}
