// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0

/** What a commit costs on streams of very different length. */
@NullMarked
package io.lakestream.bench.commit;

import org.jspecify.annotations.NullMarked;
