// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Tests of the simulator itself: a run that it calls good must be good. */
@NullMarked
package io.lakestream.testkit.simulation;

import org.jspecify.annotations.NullMarked;
