// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0

/** What the benchmarks share. They measure and return figures; the command prints them. */
@NullMarked
package io.lakestream.bench;

import org.jspecify.annotations.NullMarked;
