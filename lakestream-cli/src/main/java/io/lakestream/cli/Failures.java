// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.model.CommitUnknown;
import io.lakestream.model.InvalidRequest;
import io.lakestream.model.LakestreamException;
import io.lakestream.text.UnusableInput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Says what went wrong in one line, and turns it into an exit status. */
final class Failures {
  /** What is said of a command that was asked to end and has nothing else to say. */
  static final String INTERRUPTED = "interrupted";

  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private final Console console;

  Failures(Console console) {
    this.console = console;
  }

  /** Arguments that cannot be understood. */
  int usage(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    console.note(String.valueOf(failure.getMessage()));
    PrintWriter err = command.getErr();
    boolean unused = CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return USAGE;
  }

  /** A command that failed. */
  int execution(Exception failure, CommandLine command, ParseResult parsed) {
    return report(failure, Verbosity.of(command));
  }

  /** Reports a failure and returns the exit status for it. */
  int report(Throwable failure, Verbosity verbosity) {
    if (failure instanceof Console.OutputFailed output && output.isClosedByReader()) {
      return 0;
    }
    console.note(isOfStop(failure) ? INTERRUPTED : message(failure));
    if (verbosity == Verbosity.VERBOSE) {
      failure.printStackTrace(console.err());
    }
    return failure instanceof InvalidRequest ? USAGE : FAILED;
  }

  /** Whatever an interrupt made fail is no failure, unless the command ends in its own order. */
  private boolean isOfStop(Throwable failure) {
    Stop stop = console.stop();
    return stop.isRequested() && (!stop.isDraining() || isOfInterruption(failure));
  }

  private static boolean isOfInterruption(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InterruptedException
          || cause instanceof InterruptedIOException
          || cause instanceof ClosedByInterruptException
          || cause instanceof CommitUnknown) {
        return true;
      }
    }
    return false;
  }

  /** What went wrong, for people. */
  static String message(Throwable failure) {
    if (failure instanceof LakestreamException
        || failure instanceof UnusableInput
        || failure instanceof CommandFailed
        || failure instanceof Console.OutputFailed) {
      return String.valueOf(failure.getMessage());
    }
    if (failure instanceof FileSystemException file && file.getFile() != null) {
      return "%s: %s".formatted(file.getFile(), FileTrouble.explain(file));
    }
    if (failure instanceof IOException) {
      return String.valueOf(failure.getMessage());
    }
    if (failure instanceof UncheckedIOException
        && failure.getCause() instanceof IOException cause) {
      return message(cause);
    }
    if (failure instanceof OutOfMemoryError) {
      return "out of memory (%s); give the JVM more, such as LAKESTREAM_JAVA_OPTS=-Xmx4g"
          .formatted(failure.getMessage());
    }
    return "this is a bug, please report it with the output of --verbose: " + failure;
  }
}
