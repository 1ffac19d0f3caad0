// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** The vocabulary: values that every other package speaks in, and the errors of the product. */
@NullMarked
package io.lakestream.model;

import org.jspecify.annotations.NullMarked;
