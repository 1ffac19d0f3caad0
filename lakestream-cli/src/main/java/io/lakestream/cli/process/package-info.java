// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * This command as child processes, for commands that kill and stop some: a {@link
 * io.lakestream.cli.process.Stage} starts them and ends them all, {@link
 * io.lakestream.cli.process.Events} reads what they tell, and {@link
 * io.lakestream.cli.process.RankCheck} judges what a rank told over all its lives.
 */
@NullMarked
package io.lakestream.cli.process;

import org.jspecify.annotations.NullMarked;
