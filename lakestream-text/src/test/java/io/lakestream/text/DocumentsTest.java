// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import static io.lakestream.text.Inputs.read;
import static io.lakestream.text.Inputs.write;
import static io.lakestream.text.Inputs.zip;
import static io.lakestream.text.SkipReason.HIDDEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.lakestream.model.InvalidRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
  private static final byte[] BROKEN = {'a', 'b', (byte) 0xC3, 'd'};

  @TempDir private Path folder;

  @Test
  void aFileIsOneDocument() {
    Path file = write(folder.resolve("a.txt"), "Grüße, 世界 😀\n");
    assertThat(read(Documents.of(file))).containsExactly("0 a.txt Grüße, 世界 😀\n");
  }

  @Test
  void aByteOrderMarkAndTheReplacementCharacterAreTextLikeAnyOther() {
    Path file = write(folder.resolve("a.txt"), "\uFEFFx\uFFFD");
    assertThat(read(Documents.of(file))).containsExactly("0 a.txt \uFEFFx\uFFFD");
  }

  @Test
  void aFolderIsReadRecursivelyInTheOrderOfItsPaths() {
    for (String name : List.of("b/z.txt", "b.txt", "a/c/d", "B.txt", "é.txt", "a/Makefile")) {
      write(Path.of(URI.create(folder.toUri() + name.replace("é", "%C3%A9"))), name);
    }
    assertThat(read(Documents.of(folder)))
        .containsExactly(
            "0 B.txt B.txt",
            "1 a/Makefile a/Makefile",
            "2 a/c/d a/c/d",
            "3 b.txt b.txt",
            "4 b/z.txt b/z.txt",
            "5 é.txt é.txt");
  }

  @Test
  void whatIsHiddenIsSkippedAndCounted() {
    write(folder.resolve(".git/config"), "hidden");
    write(folder.resolve("a/.b/c"), "hidden");
    write(folder.resolve("a/.d"), "hidden");
    write(folder.resolve("a/e"), "seen");
    Documents documents = Documents.of(folder);
    assertThat(read(documents)).containsExactly("0 a/e seen");
    assertThat(documents.skipped().counts()).containsOnly(entry(HIDDEN, 3L));
    assertThat(documents.skipped()).hasToString("3 hidden files or folders");
  }

  @Test
  void aHiddenFolderThatIsNamedIsRead() {
    Path hidden = folder.resolve(".cache");
    write(hidden.resolve("a"), "text");
    assertThat(read(Documents.of(hidden))).containsExactly("0 a text");
  }

  @Test
  void linksToFilesAreReadAndLinksToFoldersNot() throws IOException {
    Path root = folder.resolve("root");
    Path elsewhere = folder.resolve("elsewhere");
    write(elsewhere.resolve("b"), "linked");
    write(root.resolve("a"), "a");
    Files.createSymbolicLink(root.resolve("link"), elsewhere.resolve("b"));
    Files.createSymbolicLink(root.resolve("loop"), root);
    Files.createSymbolicLink(root.resolve("broken"), root.resolve("nowhere"));
    Documents documents = Documents.of(root);
    assertThat(read(documents)).containsExactly("0 a a", "1 link linked");
    assertThat(documents.skipped()).hasToString("1 broken link, 1 link to a folder");
    Path alias = Files.createSymbolicLink(folder.resolve("alias"), root);
    assertThat(read(Documents.of(alias))).containsExactly("0 a a", "1 link linked");
  }

  @Test
  void binaryAndEmptyFilesAreSkippedAndCounted() {
    write(folder.resolve("a.class"), "never looked at");
    write(folder.resolve("b.PNG"), "never looked at");
    write(folder.resolve("c.txt"), "");
    write(folder.resolve("d.data"), "a\0b");
    write(folder.resolve("e.txt"), "e");
    Documents documents = Documents.of(folder);
    assertThat(documents.skipped()).hasToString("2 binary files, 1 empty file");
    try (DocumentCursor cursor = documents.open()) {
      assertThat(Inputs.drain(cursor)).containsExactly(new Document(1, "e.txt", "e"));
      assertThat(cursor.skipped()).hasToString("1 binary file");
      assertThat(cursor.next()).isEmpty();
    }
  }

  @Test
  void aNulFarIntoATextIsACharacter() {
    String text = "x".repeat(9000) + "\0";
    Path file = write(folder.resolve("a.txt"), text);
    assertThat(read(Documents.of(file))).containsExactly("0 a.txt " + text);
  }

  @Test
  void textInUtf16OrUtf32IsAnErrorAndNotBinary() {
    for (String encoding : List.of("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")) {
      byte[] text = "\uFEFFtext\r\n😀".repeat(1000).getBytes(Charset.forName(encoding));
      Path file = write(folder.resolve(encoding), text);
      assertThatThrownBy(() -> Documents.of(file))
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining(file + " is text in " + encoding + "; convert it to UTF-8");
    }
    byte[] binary = {(byte) 0xFF, (byte) 0xFE, 1, 0, 2, 0};
    write(folder.resolve("binary/a"), binary);
    write(folder.resolve("binary/b"), "b");
    assertThat(read(Documents.of(folder.resolve("binary")))).containsExactly("1 b b");
  }

  @Test
  void anArchiveIsReadInTheOrderOfItsNames() {
    Path jar =
        zip(
            folder.resolve("x.jar"),
            "b/B.java",
            "class B",
            "a/",
            "",
            "a/A.class",
            "binary",
            "a/A.java",
            "class A",
            "empty",
            "",
            ".hidden",
            "hidden",
            "a/.git/x",
            "hidden too",
            "a/.git/y",
            "in the same hidden folder",
            "inner.zip",
            "an archive",
            "./here",
            "here",
            "../escape",
            "nothing is unpacked");
    Documents documents = Documents.of(jar);
    assertThat(read(documents))
        .containsExactly(
            "0 ../escape nothing is unpacked",
            "1 ./here here",
            "2 a/A.java class A",
            "3 b/B.java class B");
    assertThat(documents.skipped())
        .hasToString("1 archive, 1 binary file, 1 empty file, 2 hidden files or folders");
  }

  @Test
  void anArchiveInsideAFolderIsSkippedAsSuch() {
    zip(folder.resolve("x.zip"), "a", "a");
    write(folder.resolve("x.tar.gz"), "a");
    write(folder.resolve("b"), "b");
    Documents documents = Documents.of(folder);
    assertThat(read(documents)).containsExactly("0 b b");
    assertThat(documents.skipped()).hasToString("2 archives");
  }

  @Test
  void aPipeIsSkippedAndCounted() throws Exception {
    write(folder.resolve("b"), "b");
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Documents documents = Documents.of(folder);
    assertThat(read(documents)).containsExactly("0 b b");
    assertThat(documents.skipped()).hasToString("1 pipe, socket or device");
  }

  @Test
  void linesOfJsonAreDocumentsWhereverTheyAre() {
    String lines = "{\"text\":\"one\"}\n{\"text\":\"two\"}";
    Path zip = zip(folder.resolve("x.zip"), "b", "b", "a.jsonl", lines, "c.ndjson", lines);
    List<String> expected =
        List.of(
            "0 a.jsonl#1 one", "1 a.jsonl#2 two", "2 b b", "3 c.ndjson#1 one", "4 c.ndjson#2 two");
    assertThat(read(Documents.of(zip))).isEqualTo(expected);
    Path root = folder.resolve("root");
    write(root.resolve("b"), "b");
    write(root.resolve("a.jsonl"), lines);
    write(root.resolve("c.ndjson"), lines);
    assertThat(read(Documents.of(root))).isEqualTo(expected);
  }

  @Test
  void sharesAreDisjointAndMakeUpTheWhole() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 7; i++) {
      write(folder.resolve("file" + i), "f" + i);
      lines.append("{\"text\":\"l").append(i).append("\"}\n");
    }
    write(folder.resolve("file3.jsonl"), lines.toString());
    Documents whole = Documents.of(folder);
    List<String> texts = read(whole).stream().map(d -> d.replaceAll(".* ", "")).toList();
    assertThat(texts).hasSize(14);
    for (int of = 1; of <= 16; of++) {
      List<String> dealt = new ArrayList<>(texts);
      for (int index = 0; index < of; index++) {
        List<String> share = read(whole.share(index, of));
        for (int i = 0; i < share.size(); i++) {
          assertThat(share.get(i)).startsWith(i + " ").endsWith(" " + texts.get(i * of + index));
          dealt.remove(texts.get(i * of + index));
        }
      }
      assertThat(dealt).as("%d shares", of).isEmpty();
    }
  }

  @Test
  void readingStartsAtAnyPositionUpToTheEnd() {
    for (int i = 0; i < 5; i++) {
      write(folder.resolve("f" + i), "t" + i);
    }
    Documents share = Documents.of(folder).share(1, 2);
    try (DocumentCursor cursor = share.open(1)) {
      assertThat(cursor.next()).contains(new Document(1, "f3", "t3"));
    }
    try (DocumentCursor cursor = share.open(2)) {
      assertThat(cursor.next()).isEmpty();
    }
    assertThatThrownBy(() -> share.open(3))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("position 3 is past the end of share 1 of 2")
        .hasMessageContaining("which has 2");
  }

  @Test
  void badSharesAreRefused() {
    Documents documents = Documents.of(write(folder.resolve("a"), "a"));
    for (int[] share : new int[][] {{0, 0}, {-1, 2}, {2, 2}}) {
      assertThatThrownBy(() -> documents.share(share[0], share[1]))
          .isInstanceOf(InvalidRequest.class)
          .hasMessageContaining("share %d of %d does not exist".formatted(share[0], share[1]));
    }
    assertThatThrownBy(() -> documents.share(0, 2).share(0, 2))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("take shares of the whole input");
  }

  @Test
  void aMissingInputIsRefused() {
    assertThatThrownBy(() -> Documents.of(folder.resolve("nowhere")))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("there is no file or folder")
        .hasMessageContaining("nowhere");
  }

  @Test
  void anInputWithoutTextIsRefused() throws IOException {
    Path emptyFolder = Files.createDirectory(folder.resolve("empty"));
    Path binaries = folder.resolve("binaries");
    write(binaries.resolve("a.so"), "x");
    write(binaries.resolve("b"), "\0");
    write(binaries.resolve("c"), "");
    Path blankLines = write(folder.resolve("blank.jsonl"), "\n\n{\"text\":\"\"}\n");
    Path emptyZip = zip(folder.resolve("empty.zip"), "a/", "");
    Path emptyFile = write(folder.resolve("empty.txt"), "");
    Path tar = write(folder.resolve("x.tar.gz"), "x");
    assertRefused(emptyFolder, "(skipped: nothing); give it some UTF-8 text");
    assertRefused(binaries, "(skipped: 2 binary files, 1 empty file)");
    assertRefused(blankLines, "(skipped: 3 lines without text)");
    assertRefused(emptyZip, "(skipped: nothing)");
    assertRefused(emptyFile, "(skipped: 1 empty file)");
    assertRefused(tar, "(skipped: 1 archive); give it some UTF-8 text, or unpack it: only");
  }

  private static void assertRefused(Path input, String why) {
    assertThatThrownBy(() -> Documents.of(input))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining(input + " holds no text " + why);
  }

  @Test
  void malformedTextIsRefusedWithItsPlace() {
    write(folder.resolve("a"), "fine");
    Path broken = write(folder.resolve("b"), BROKEN);
    Documents documents = Documents.of(folder);
    try (DocumentCursor cursor = documents.open(1)) {
      assertThatThrownBy(cursor::next)
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining(broken.getFileName() + " is not UTF-8 at byte 2");
    }
  }

  @Test
  void malformedTextIsFoundAnywhere() {
    for (int place : new int[] {0, 1, 8191, 8192, 100_000}) {
      byte[] bytes = "é".repeat(60_000).getBytes(StandardCharsets.UTF_8);
      bytes[place] = (byte) 0xFF;
      int start = place - place % 2;
      // The character whose second byte is broken is what is malformed.
      assertThatThrownBy(() -> TextBytes.decode(bytes, "x", 1000))
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining("x is not UTF-8 at byte " + (1000 + start));
    }
    byte[] cut = {'a', (byte) 0xE4, (byte) 0xB8};
    assertThatThrownBy(() -> TextBytes.decode(cut, "x", 0)).hasMessageContaining("at byte 1");
  }

  @Test
  void malformedTextInAnArchiveIsRefusedWithItsEntry() {
    Path file = folder.resolve("y.zip");
    try (var out = new ZipOutputStream(Files.newOutputStream(file))) {
      out.putNextEntry(new ZipEntry("a/b"));
      out.write(BROKEN);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThatThrownBy(() -> Documents.of(file))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("y.zip!/a/b is not UTF-8 at byte 2");
  }

  /** Gives what is named {@code from} in an archive another name of the same length. */
  private static Path renamed(Path zip, String from, String to) {
    String bytes = new String(readAll(zip), StandardCharsets.ISO_8859_1);
    return write(zip, bytes.replace(from, to).getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] readAll(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDamagedArchiveIsRefused() {
    Path noZip = write(folder.resolve("a.zip"), "not a zip file at all");
    assertThatThrownBy(() -> Documents.of(noZip))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("a.zip is not a readable zip file");
    Path zip = zip(folder.resolve("b.zip"), "name", "hello hello hello world ".repeat(50));
    byte[] bytes = readAll(zip);
    // Past the local header and name: the compressed text.
    bytes[30 + 4 + 12] ^= 0x10;
    write(zip, bytes);
    assertThatThrownBy(() -> Documents.of(zip))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("b.zip!/name is damaged (")
        .hasMessageNotContaining("java.");
  }

  @Test
  void anArchiveWithTwoFilesOfOneNameIsRefusedIfTheyMayHoldText() {
    String[] twice = {"a.txt", "first", "a!txt", "second", "b", "b"};
    Path texts = renamed(zip(folder.resolve("x.zip"), twice), "a!txt", "a.txt");
    assertThatThrownBy(() -> Documents.of(texts))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("x.zip holds two files named 'a.txt', of which only one")
        .hasMessageContaining("unpack it");
    String[] binaries = {"a.class", "first", "a!class", "second", "b", "b"};
    Path classes = renamed(zip(folder.resolve("y.zip"), binaries), "a!class", "a.class");
    assertThat(read(Documents.of(classes))).containsExactly("0 b b");
    String[] oneEmpty = {"a.txt", "", "a!txt", "second", "b", "b"};
    Path lost = renamed(zip(folder.resolve("z.zip"), oneEmpty), "a!txt", "a.txt");
    assertThatThrownBy(() -> Documents.of(lost)).hasMessageContaining("named 'a.txt'");
  }

  @Test
  void whatCannotBeReadIsSaidInWords() {
    assertThat(UnusableInput.reading("x", new AccessDeniedException("x")))
        .hasMessage("x may not be read; change its permissions or take it out of the input");
    assertThat(UnusableInput.reading("x", new NoSuchFileException("x")))
        .hasMessage("x is gone; leave an input as it is while it is in use");
    assertThat(UnusableInput.reading("x", new ZipException("invalid block type")))
        .hasMessage("x is damaged (invalid block type); fetch or make it again");
    assertThat(UnusableInput.reading("x", new FileSystemException("x", null, "Is a directory")))
        .hasMessage("x cannot be read (Is a directory); mend it or take it out of the input");
  }

  @Test
  void aDocumentLongerThanItMayBeIsRefused() throws IOException {
    Path file = zip(folder.resolve("x.zip"), "bomb", "0".repeat(100_001), "b", "0".repeat(100_000));
    try (EntryReader reader = EntryReader.ofArchive(file)) {
      assertThat(reader.bytes(Entry.inArchive("b", file, 100_000), 100_000)).hasSize(100_000);
      assertThatThrownBy(() -> reader.bytes(Entry.inArchive("bomb", file, 100_001), 100_000))
          .isInstanceOf(UnusableInput.class)
          .hasMessageContaining("x.zip!/bomb is longer than the 100000 bytes");
    }
  }

  @Test
  void anInputThatIsNoFileIsRefused() {
    assertThatThrownBy(() -> Documents.of(Path.of("/dev/null")))
        .isInstanceOf(InvalidRequest.class)
        .hasMessageContaining("neither a file nor a folder");
  }
}
