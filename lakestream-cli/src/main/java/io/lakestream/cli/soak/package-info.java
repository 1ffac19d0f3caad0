// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * {@code lakestream soak}: chaos on a real file store. {@link io.lakestream.cli.soak.Soak} is the
 * whole of it, {@link io.lakestream.cli.soak.StrikePlan} who is struck when, {@link
 * io.lakestream.cli.soak.Crew} those who are, and {@link io.lakestream.cli.soak.Verdict} what is
 * made of what they told.
 */
@NullMarked
package io.lakestream.cli.soak;

import org.jspecify.annotations.NullMarked;
