// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.Tgb;

/**
 * A batch and how far it brought the packer.
 *
 * @param tgb the batch
 * @param offset where to resume for the batch after it
 * @param tokens tokens in it, padding excluded
 * @param documents documents that end in it
 */
public record PackedBatch(Tgb tgb, String offset, long tokens, long documents) {}
