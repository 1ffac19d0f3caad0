// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0

/** Reading and writing through Lakestream, against the same work done by plain file calls. */
@NullMarked
package io.lakestream.bench.io;

import org.jspecify.annotations.NullMarked;
