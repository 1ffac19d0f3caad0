// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Real text into batches of token rows: {@link io.lakestream.text.Documents} reads, {@link
 * io.lakestream.text.Tokenizer} encodes, {@link io.lakestream.text.TextPacker} packs and leaves a
 * {@link io.lakestream.text.Provenance}, and {@link io.lakestream.text.TokenHash} checks what came
 * out at the other end.
 */
@NullMarked
package io.lakestream.text;

import org.jspecify.annotations.NullMarked;
