// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** What may still be needed, and the removal of what may not. */
@NullMarked
package io.lakestream.lifecycle;

import org.jspecify.annotations.NullMarked;
