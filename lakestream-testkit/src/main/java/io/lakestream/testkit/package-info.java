// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What proves a store: the contract that every store passes whole, and fakes and harnesses around
 * the store interface. Published, so that whoever brings a store can prove it.
 */
@NullMarked
package io.lakestream.testkit;

import org.jspecify.annotations.NullMarked;
