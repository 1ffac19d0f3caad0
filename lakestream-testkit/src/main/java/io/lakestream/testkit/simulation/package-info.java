// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the shipped code under a baton: one thread at a time, a virtual clock, and a seed that
 * decides everything that could differ between two runs.
 */
@NullMarked
package io.lakestream.testkit.simulation;

import org.jspecify.annotations.NullMarked;
