// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.lakestream.runtime.Environment;
import io.lakestream.store.FileStore.Durability;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is peculiar to files; what holds for every store is in the contract. */
class FileStoreTest {
  @TempDir Path folder;

  private Path root;
  private FileStore store;

  @BeforeEach
  void open() throws IOException {
    root = folder.resolve("root");
    store = FileStore.open(root, Durability.NONE, Environment.system());
  }

  @Test
  void theFileOfAKeyIsItsPathBelowTheRoot() throws IOException {
    assertThat(store.putIfAbsent("a/b", body("x"))).isEqualTo(PutOutcome.CREATED);
    assertThat(root.resolve("a/b")).hasContent("x");
  }

  @Test
  void putsLeaveNoTemporaryFilesBehind() throws IOException {
    assertThat(store.putIfAbsent("a/b", body("x"))).isEqualTo(PutOutcome.CREATED);
    assertThat(store.putIfAbsent("a/b", body("y"))).isEqualTo(PutOutcome.OCCUPIED);
    store.put("a/b", body("z"));
    assertThat(root.resolve(FileStore.TEMP_FOLDER)).isEmptyDirectory();
  }

  @Test
  void whatACrashedWriterLeftIsNotListedAndGoesAfterADay() throws IOException {
    store.put("k", body("x"));
    Path temp = root.resolve(FileStore.TEMP_FOLDER);
    Path old = Files.writeString(temp.resolve("0ld"), "torn");
    Path young = Files.writeString(temp.resolve("young"), "torn");
    long now = Environment.system().clock().epochMillis();
    Files.setLastModifiedTime(old, FileTime.fromMillis(now - Leftovers.MAX_AGE_MILLIS - 1_000));
    Files.setLastModifiedTime(young, FileTime.fromMillis(now - Leftovers.MAX_AGE_MILLIS / 2));
    assertThat(keys("")).containsExactly("k");
    assertThat(old).exists();

    store = FileStore.open(root, Durability.NONE, Environment.system());
    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(keys("")).containsExactly("k");
  }

  @Test
  void theTemporaryFolderIsNoPlaceForKeys() {
    for (String key : List.of(".lakestream-tmp/a", "a/.lakestream-tmp/b", ".lakestream-tmp")) {
      assertThatThrownBy(() -> store.read(key))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + key + "'")
          .hasMessageContaining("reserved");
    }
  }

  @Test
  void aStoreWhoseFoldersAreDeletedGoesOn() throws IOException {
    store.put("a/b/c", body("x"));
    deleteAll(root);
    store.put("a/b/c", body("y"));
    deleteAll(root.resolve("a"));
    assertThat(store.putIfAbsent("a/b/c", body("z"))).isEqualTo(PutOutcome.CREATED);
    deleteAll(root.resolve(FileStore.TEMP_FOLDER));
    assertThat(store.putIfAbsent("a/b/d", body("z"))).isEqualTo(PutOutcome.CREATED);
    assertThat(keys("a/")).containsExactly("a/b/c", "a/b/d");
  }

  @Test
  void aFolderOfKeysIsNoKey() throws IOException {
    store.put("a/b", body("x"));
    assertThat(store.read("a")).isEmpty();
    assertThat(store.read("a", 0, 1)).isEmpty();
    assertThat(store.size("a")).isEmpty();
    assertThat(store.delete(List.of("a"))).isEmpty();
    assertThatThrownBy(() -> store.putIfAbsent("a", body("x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("putIfAbsent of 'a'")
        .hasMessageContaining("folder of other keys");
    assertThatThrownBy(() -> store.put("a", body("x"))).hasMessageContaining("put of 'a'");
    assertThat(keys("")).containsExactly("a/b");
    assertThat(root.resolve(FileStore.TEMP_FOLDER)).isEmptyDirectory();
  }

  @Test
  void nothingIsBelowAKey() throws IOException {
    store.put("a", body("x"));
    assertThat(store.read("a/b")).isEmpty();
    assertThat(store.readSuffix("a/b/c", 1)).isEmpty();
    assertThat(store.size("a/b/c")).isEmpty();
    assertThat(store.delete(List.of("a/b/c"))).isEmpty();
    assertThat(keys("a/")).isEmpty();
    assertThatThrownBy(() -> store.putIfAbsent("a/b", body("x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("putIfAbsent of 'a/b'")
        .hasMessageContaining("is a file");
    assertThatThrownBy(() -> store.put("a/b/c", body("x"))).hasMessageContaining("is a file");
  }

  @Test
  void deletingLeavesEmptyFolders() throws IOException {
    store.put("a/b/c", body("x"));
    assertThat(store.delete(List.of("a/b/c"))).isEmpty();
    assertThat(root.resolve("a/b")).isEmptyDirectory();
    assertThat(store.delete(List.of("a/b"))).isEmpty();
    assertThat(root.resolve("a/b")).isEmptyDirectory();
  }

  @Test
  void filesWhoseNamesAreNoKeysAreNotListed() throws IOException {
    store.put("a/k", body("x"));
    Files.writeString(root.resolve("a/with\ttab"), "x");
    Files.createSymbolicLink(root.resolve("a/loop"), root);
    assertThat(keys("")).containsExactly("a/k");
  }

  @Test
  void aListingOnlyContinuesItsOwnPrefix() {
    assertThatThrownBy(() -> store.list("a/", Optional.of("b/k")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'b/k'");
  }

  @Test
  void rangesBeyondTwoGigabytesAreRead() throws IOException {
    long end = 3L << 30;
    store.put("big", body("x"));
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("big").toFile(), "rw")) {
      file.setLength(end - 3);
      file.seek(end - 3);
      file.write(new byte[] {1, 2, 3});
    }
    assertThat(store.size("big")).hasValue(end);
    assertThat(store.read("big", end - 4, 10)).contains(ByteBuffer.wrap(new byte[] {0, 1, 2, 3}));
    assertThat(store.readSuffix("big", 2)).contains(ByteBuffer.wrap(new byte[] {2, 3}));
    assertThat(store.read("big", end, 10)).contains(ByteBuffer.allocate(0));
    assertThatThrownBy(() -> store.read("big"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("read of 'big'")
        .hasMessageContaining("by ranges");
  }

  @Test
  void aFileIsNoStore() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    for (Path place : List.of(file, file.resolve("below"), file.resolve("far/below"))) {
      assertThatThrownBy(() -> FileStore.open(place, Durability.FULL, Environment.system()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("open of " + place)
          .hasMessageContaining(file + " is a file; a store needs a folder");
    }
  }

  @Test
  void anInterruptedPutCreatesNothing() throws IOException {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> store.putIfAbsent("k", body("x")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("putIfAbsent of 'k'")
          .hasMessageContaining("interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(store.read("k")).isEmpty();
    assertThat(root.resolve(FileStore.TEMP_FOLDER)).isEmptyDirectory();
  }

  @Test
  void aFolderWithoutPermissionIsRefusedInClearWords() throws IOException {
    store.put("a/k", body("x"));
    Path sealed = root.resolve("a");
    Files.setPosixFilePermissions(sealed, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeFalse(Files.isWritable(sealed), "the super-user writes anywhere");
      assertThatThrownBy(() -> store.putIfAbsent("a/l", body("x")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no permission");
      assertThat(store.delete(List.of("a/k"))).hasSize(1);
    } finally {
      Files.setPosixFilePermissions(sealed, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private List<String> keys(String prefix) throws IOException {
    return store.list(prefix, Optional.empty()).entries().stream().map(ObjectEntry::key).toList();
  }

  private static Body body(String text) {
    return Body.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void deleteAll(Path top) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
