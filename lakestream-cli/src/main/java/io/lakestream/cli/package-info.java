// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code lakestream} command: {@link io.lakestream.cli.Main} lists the commands, one class
 * each. The only place that prints.
 */
@NullMarked
package io.lakestream.cli;

import org.jspecify.annotations.NullMarked;
