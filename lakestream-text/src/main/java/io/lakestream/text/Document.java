// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

/**
 * One text of an input.
 *
 * @param index its position in the share it was read from, from 0; positions whose file or line has
 *     no text are left out, so they need not be consecutive
 * @param name where it came from: the path below the input, with {@code #line} for a line of a
 *     {@code .jsonl} file
 * @param text what it says; never empty
 */
public record Document(long index, String name, String text) {}
