// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * {@code lakestream demo}: real text, real processes and real kills, and a check afterwards that
 * takes nobody's word for it. {@link io.lakestream.cli.demo.Demo} is the play from beginning to
 * end, {@link io.lakestream.cli.demo.StreamCheck} the judge.
 */
@NullMarked
package io.lakestream.cli.demo;

import org.jspecify.annotations.NullMarked;
