// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.sim;

import io.lakestream.model.Pin;

/**
 * What a rank has saved.
 *
 * @param cursor where it stood, as text
 * @param pin the pin that keeps its step
 */
record Checkpoint(String cursor, Pin pin) {
  long step() {
    return pin.step();
  }
}
