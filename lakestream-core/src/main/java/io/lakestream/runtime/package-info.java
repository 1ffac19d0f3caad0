// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** The only door to clocks, random numbers and threads, so that a simulation can be all of them. */
@NullMarked
package io.lakestream.runtime;

import org.jspecify.annotations.NullMarked;
