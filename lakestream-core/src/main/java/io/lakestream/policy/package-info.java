// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What a user decides: the settings of producers and consumers, and when to commit, as pure values
 * that turn what was observed into when to try next.
 */
@NullMarked
package io.lakestream.policy;

import org.jspecify.annotations.NullMarked;
