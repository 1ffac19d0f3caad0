// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.lakestream.cli.soak;

import org.jspecify.annotations.NullMarked;
