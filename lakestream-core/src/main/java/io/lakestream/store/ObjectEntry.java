// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

/**
 * One object of a listing.
 *
 * @param key the object's key
 * @param size its length in bytes
 */
public record ObjectEntry(String key, long size) {}
