// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0

/** What is stored of a run with and without reclamation, and what it costs to resume one. */
@NullMarked
package io.lakestream.bench.lifecycle;

import org.jspecify.annotations.NullMarked;
