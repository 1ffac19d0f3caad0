// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Tests of the faults: what the caller sees, and what the store holds. */
@NullMarked
package io.lakestream.testkit.fault;

import org.jspecify.annotations.NullMarked;
