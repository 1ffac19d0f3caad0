// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.lakestream.bench.lifecycle;

import org.jspecify.annotations.NullMarked;
