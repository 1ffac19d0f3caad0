// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.model;

/**
 * A promise that the stream can be resumed from a step, for as long as nobody takes it back.
 *
 * @param name its name, which no other pin ever has
 * @param step the step
 * @param label what it is for, for people
 */
public record Pin(String name, long step, String label) {}
