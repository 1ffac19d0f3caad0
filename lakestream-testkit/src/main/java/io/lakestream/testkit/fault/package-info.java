// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Stores that go wrong as told, for tests of whatever is built on a store. */
@NullMarked
package io.lakestream.testkit.fault;

import org.jspecify.annotations.NullMarked;
