// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** The consumer: one rank's slices of the stream, step after step, fetched ahead. */
@NullMarked
package io.lakestream.consume;

import org.jspecify.annotations.NullMarked;
