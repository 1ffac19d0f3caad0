// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** When to commit: pure values that turn what was observed into when to try next. */
@NullMarked
package io.lakestream.policy;

import org.jspecify.annotations.NullMarked;
