// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** The check of a whole namespace against what always holds. It repairs nothing. */
@NullMarked
package io.lakestream.fsck;

import org.jspecify.annotations.NullMarked;
