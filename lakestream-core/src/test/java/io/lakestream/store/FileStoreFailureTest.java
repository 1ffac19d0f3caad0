// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.runtime.Environment;
import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of the disk's calls in a put, and what the put says when one of them fails. */
class FileStoreFailureTest {
  private static final Body BODY = Body.of("x".getBytes(StandardCharsets.UTF_8));

  @TempDir Path folder;

  private Path root;
  private FakeDisk disk;
  private FileStore store;

  @BeforeEach
  void open() {
    root = folder.resolve("root");
    disk = new FakeDisk(root);
    store = new FileStore(root, Durability.FULL, Environment.system(), disk);
  }

  @Test
  void aCreatedObjectIsOnDiskBeforeItsName() throws IOException {
    store.put("a/first", BODY);
    disk.takeCalls();
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(disk.takeCalls()).containsExactly("write FULL temp", "link a/k", "syncFolder a");
    store.put("a/k", BODY);
    assertThat(disk.takeCalls()).containsExactly("write FULL temp", "replace a/k", "syncFolder a");
  }

  @Test
  void newFoldersAreForcedIntoTheFoldersAbove() throws IOException {
    assertThat(store.putIfAbsent("a/b/k", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(disk.takeCalls())
        .containsExactly(
            "createFolder ",
            "syncFolder " + folder.getFileName(),
            "createFolder .lakestream-tmp",
            "syncFolder ",
            "write FULL temp",
            "createFolder a",
            "syncFolder ",
            "createFolder a/b",
            "syncFolder a",
            "link a/b/k",
            "syncFolder a/b");
  }

  @Test
  void foldersOfOtherProcessesAreForcedOnceToo() throws IOException {
    store.put("a/b/k", BODY);
    disk.takeCalls();
    FileStore other = new FileStore(root, Durability.FULL, Environment.system(), disk);
    assertThat(other.putIfAbsent("a/b/l", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(disk.takeCalls()).contains("syncFolder ", "syncFolder a", "syncFolder a/b");
    assertThat(other.putIfAbsent("a/b/m", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(disk.takeCalls()).doesNotContain("syncFolder ", "syncFolder a", "createFolder a");
  }

  @Test
  void anObjectThatOccupiesIsMadeDurable() throws IOException {
    store.put("a/k", BODY);
    disk.takeCalls();
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.OCCUPIED);
    assertThat(disk.takeCalls()).containsExactly("syncFolder a");
    disk.failBefore("syncFolder", new IOException("Input/output error"));
    assertThatThrownBy(() -> store.putIfAbsent("a/k", BODY)).isInstanceOf(IOException.class);
  }

  @Test
  void aRivalThatComesBetweenWins() throws IOException {
    store.put("a/first", BODY);
    for (Durability durability : Durability.values()) {
      String key = "a/" + durability;
      FileStore late = new FileStore(root, durability, Environment.system(), disk);
      disk.runBefore(
          "write " + durability,
          () -> Files.writeString(root.resolve(key), "rival", StandardOpenOption.CREATE_NEW));
      assertThat(late.putIfAbsent(key, BODY)).isEqualTo(PutOutcome.OCCUPIED);
      assertThat(root.resolve(key)).hasContent("rival");
      assertThat(root.resolve(FileStore.TEMP_FOLDER)).isEmptyDirectory();
    }
    assertThat(disk.takeCalls()).contains("link a/FULL", "link a/NONE", "syncFolder a");
  }

  @Test
  void withoutDurabilityNothingIsForced() throws IOException {
    FileStore fast = new FileStore(root, Durability.NONE, Environment.system(), disk);
    assertThat(fast.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(fast.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.OCCUPIED);
    fast.put("b/k", BODY);
    assertThat(disk.takeCalls())
        .contains("write NONE temp", "link a/k", "replace b/k")
        .noneMatch(call -> call.startsWith("syncFolder") || call.contains("FULL"));
  }

  @Test
  void aFullDiskIsToldInClearWordsAndLeavesNothing() throws IOException {
    disk.failAfter("write FULL", new IOException("No space left on device"));
    for (Put put : puts()) {
      assertThatThrownBy(put::run)
          .isInstanceOf(IOException.class)
          .hasMessageMatching("(?s)put(IfAbsent)? of 'a/k' in .*")
          .hasMessageContaining("the disk is full; make room");
    }
    assertNothingIsThere();
  }

  @Test
  void aFullDiskAtTheLinkIsCertainToo() throws IOException {
    disk.failBefore("link", new FileSystemException("k", "t", "No space left on device"));
    assertThatThrownBy(() -> store.putIfAbsent("a/k", BODY))
        .hasMessageContaining("the disk is full");
    assertNothingIsThere();
  }

  @Test
  void aPlaceThatCannotBeWrittenIsToldInClearWords() throws IOException {
    disk.failBefore("createFolder", new AccessDeniedException(root.toString()));
    for (Put put : puts()) {
      assertThatThrownBy(put::run)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("'a/k'")
          .hasMessageContaining("no permission: " + root);
    }
    disk.heal();
    disk.failBefore("createFolder", new FileSystemException("k", null, "Read-only file system"));
    for (Put put : puts()) {
      assertThatThrownBy(put::run).hasMessageContaining("mounted read-only");
    }
    assertThat(root).doesNotExist();
  }

  @Test
  void aFileSystemWithoutHardLinksIsToldInClearWords() throws IOException {
    List<Exception> failures =
        List.of(
            new UnsupportedOperationException(),
            new FileSystemException("k", "t", "Operation not permitted"),
            new FileSystemException("k", "t", "Operation not supported"),
            new FileSystemException("k", "t", "Function not implemented"));
    for (Exception failure : failures) {
      disk.failBefore("link", failure);
      assertThatThrownBy(() -> store.putIfAbsent("a/k", BODY))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("putIfAbsent of 'a/k'")
          .hasMessageContaining("no hard links");
    }
    assertNothingIsThere();
  }

  @Test
  void aFolderThatCannotBeForcedLeavesTheOutcomeUnknown() throws IOException {
    store.put("a/first", BODY);
    List<Exception> failures =
        List.of(new IOException("Input/output error"), new IllegalStateException("bug"));
    for (Exception failure : failures) {
      String key = "a/" + failure.getClass().getSimpleName();
      disk.failBefore("syncFolder", failure);
      assertThat(store.putIfAbsent(key, BODY)).isEqualTo(PutOutcome.UNKNOWN);
      assertThat(store.read(key)).isPresent();
    }
    assertThatThrownBy(() -> store.put("a/k", BODY)).isInstanceOf(Exception.class);
    assertThat(root.resolve(FileStore.TEMP_FOLDER)).isEmptyDirectory();
  }

  @Test
  void aNewFolderThatCannotBeForcedMeansThatNothingHappened() throws IOException {
    store.put("a/first", BODY);
    disk.failBefore("syncFolder", new IOException("Input/output error"));
    assertThatThrownBy(() -> store.putIfAbsent("b/k", BODY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Input/output error");
    assertThat(store.read("b/k")).isEmpty();
    disk.heal();
    disk.takeCalls();
    assertThat(store.putIfAbsent("b/k", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(disk.takeCalls()).contains("syncFolder ", "syncFolder b");
  }

  @Test
  void aLinkWhoseReplyWasLostIsOurs() throws IOException {
    disk.failAfter("link", new FileAlreadyExistsException("k"));
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.CREATED);
    disk.failAfter("link", new FileSystemException("k", "t", "Input/output error"));
    assertThat(store.putIfAbsent("a/l", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(store.read("a/l")).isPresent();
  }

  @Test
  void aLinkThatMayStillComeIsUnknown() throws IOException {
    disk.failBefore("link", new FileSystemException("k", "t", "Connection timed out"));
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.UNKNOWN);
  }

  @Test
  void aNameThatIsTakenIsNotOursOnlyBecauseTheBytesAreTheSame() throws IOException {
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.CREATED);
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.OCCUPIED);
  }

  private void assertNothingIsThere() throws IOException {
    disk.heal();
    assertThat(store.read("a/k")).isEmpty();
    assertThat(root.resolve(FileStore.TEMP_FOLDER)).isEmptyDirectory();
    assertThat(store.putIfAbsent("a/k", BODY)).isEqualTo(PutOutcome.CREATED);
  }

  private List<Put> puts() {
    return List.of(() -> store.putIfAbsent("a/k", BODY), () -> store.put("a/k", BODY));
  }

  @FunctionalInterface
  private interface Put {
    void run() throws IOException;
  }
}
