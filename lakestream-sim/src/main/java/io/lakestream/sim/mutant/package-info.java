// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Planted bugs, which the simulator must find: so the simulator is itself tested. */
@NullMarked
package io.lakestream.sim.mutant;

import org.jspecify.annotations.NullMarked;
