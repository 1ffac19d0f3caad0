// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** The stores and decorators of core under the contract, and tests of the test kit itself. */
@NullMarked
package io.lakestream.testkit;

import org.jspecify.annotations.NullMarked;
