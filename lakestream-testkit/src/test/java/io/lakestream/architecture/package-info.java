// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The rules that the source tree keeps: which package may use which, how large things may be, and
 * what may not be called. They run here because this is the first module that sees the classes of
 * core; the sources of all modules are read from the tree.
 */
@NullMarked
package io.lakestream.architecture;

import org.jspecify.annotations.NullMarked;
