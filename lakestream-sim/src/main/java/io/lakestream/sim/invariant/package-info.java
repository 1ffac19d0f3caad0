// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** What must hold of a stream after every change of its store, one class each. */
@NullMarked
package io.lakestream.sim.invariant;

import org.jspecify.annotations.NullMarked;
