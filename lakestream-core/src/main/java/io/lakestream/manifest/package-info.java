// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** The manifest versions and what they refer to, read from and put to a store. */
@NullMarked
package io.lakestream.manifest;

import org.jspecify.annotations.NullMarked;
