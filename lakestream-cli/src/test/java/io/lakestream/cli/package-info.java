// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Tests of the command, in this process and in real ones. */
@NullMarked
package io.lakestream.cli;

import org.jspecify.annotations.NullMarked;
