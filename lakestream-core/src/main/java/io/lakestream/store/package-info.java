// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Object stores: the small interface that a store implements, the stores of this module (memory,
 * files) and decorators of one job each. No word of the stream's own vocabulary appears here.
 *
 * <p>A namespace puts {@code MeteredStore} and {@code RetryingStore} around whatever store it is
 * opened with. A store across a network is best opened with {@code HedgedStore} around it, and
 * {@code PacedStore} around that.
 */
@NullMarked
package io.lakestream.store;

import org.jspecify.annotations.NullMarked;
