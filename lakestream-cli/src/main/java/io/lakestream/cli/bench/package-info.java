// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0

/** The commands that measure, and how they show what was measured. */
@NullMarked
package io.lakestream.cli.bench;

import org.jspecify.annotations.NullMarked;
