// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Object stores: the small interface that a store implements, the stores of this module (memory,
 * files) and decorators of one job each. No word of the stream's own vocabulary appears here.
 */
@NullMarked
package io.lakestream.store;

import org.jspecify.annotations.NullMarked;
