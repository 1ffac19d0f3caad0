// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The way in: {@link io.lakestream.Lakestream} creates and opens namespaces, a {@link
 * io.lakestream.Namespace} hands out producers and consumers.
 */
@NullMarked
package io.lakestream;

import org.jspecify.annotations.NullMarked;
