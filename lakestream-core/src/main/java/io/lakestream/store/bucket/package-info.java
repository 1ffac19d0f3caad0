// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What stores of buckets have in common, whoever runs them: how their places are written, exact
 * reads that go on where a body broke off, and how long an attempt may take.
 */
@NullMarked
package io.lakestream.store.bucket;

import org.jspecify.annotations.NullMarked;
