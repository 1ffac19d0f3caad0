// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Scenarios: who does what to a stream while everything goes wrong. */
@NullMarked
package io.lakestream.sim;

import org.jspecify.annotations.NullMarked;
