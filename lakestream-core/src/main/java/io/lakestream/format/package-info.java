// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Format 1: bytes into records and back, without any I/O. One class a kind of object or part of
 * one; {@code docs/format.md} is the specification.
 */
@NullMarked
package io.lakestream.format;

import org.jspecify.annotations.NullMarked;
