// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.simulation;

import org.jspecify.annotations.Nullable;

/**
 * What ended a simulation early.
 *
 * @param what what went wrong, for people
 * @param cause what was thrown, if anything
 * @param nanos when, on the virtual clock
 */
public record Failure(String what, @Nullable Throwable cause, long nanos) {}
