// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.process;

import io.lakestream.cli.Main;
import java.io.IOException;
import java.io.InputStream;

/**
 * Runs the command as a child that cannot outlive its parent. The parent holds the other end of the
 * child's standard input; however the parent ends, even by SIGKILL, that end is closed by the
 * operating system, and the child stops where it is.
 */
final class Tether {
  /** Exit code of a child whose parent is gone; nobody is left to read it. */
  static final int PARENT_IS_GONE = 3;

  private Tether() {}

  public static void main(String[] arguments) {
    Thread watch = new Thread(() -> haltAtEnd(System.in), "tether");
    watch.setDaemon(true);
    watch.start();
    Main.main(arguments);
  }

  private static void haltAtEnd(InputStream parent) {
    try {
      while (parent.read() >= 0) {
        // The parent writes nothing; what matters is the end.
      }
    } catch (IOException e) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(PARENT_IS_GONE);
  }
}
