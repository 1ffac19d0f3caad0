// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.lakestream.bench.commit;

import org.jspecify.annotations.NullMarked;
