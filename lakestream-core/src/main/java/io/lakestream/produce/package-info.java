// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** The producer: batches become durable objects, and then steps of the stream. */
@NullMarked
package io.lakestream.produce;

import org.jspecify.annotations.NullMarked;
