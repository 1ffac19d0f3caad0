// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Changes of the stream: pure candidates, and the one conditional put that makes one true. */
@NullMarked
package io.lakestream.commit;

import org.jspecify.annotations.NullMarked;
