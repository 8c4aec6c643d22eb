package io.kindred.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskTest {
  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void replacesContentAsWhole() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFile.writeText(file, "öld");
    AtomicFile.writeText(file, "néw");
    assertThat(Files.readString(file, StandardCharsets.UTF_8)).isEqualTo("néw");
    assertThat(names()).containsExactly("a.txt");
  }

  @Test
  void keepsOldContentWhenWriterFails() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFile.writeText(file, "old");
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    out -> {
                      out.write(new byte[100_000]);
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    out -> {
                      throw new IllegalStateException("bug");
                    }))
        .hasMessage("bug");
    assertThat(Files.readString(file)).isEqualTo("old");
    assertThat(names()).containsExactly("a.txt");
  }

  @Test
  void leavesNothingWhereTheFolderCannotTakeTheName() throws IOException {
    Path taken = folder.resolve("taken");
    Files.createDirectories(taken.resolve("inner"));
    assertThatThrownBy(() -> AtomicFile.writeText(taken, "x")).isInstanceOf(IOException.class);
    assertThat(names()).containsExactly("taken");
  }

  @Test
  void makesFolderWithItsParents() {
    Path wanted = folder.resolve("a/b");
    assertThat(Folders.requireWritable(wanted)).isEqualTo(wanted).isDirectory();
    assertThat(Folders.requireWritable(wanted)).isEqualTo(wanted);
  }

  @Test
  void saysWhenFolderCannotBeWritten() throws IOException {
    Path locked = Files.createDirectory(folder.resolve("locked"));
    assumeTrue(locked.toFile().setWritable(false));
    assumeFalse(Files.isWritable(locked), "this user may write everywhere");
    assertThatThrownBy(() -> Folders.requireWritable(locked))
        .hasMessage(
            "folder %s cannot be written to; change its permissions or name another folder"
                .formatted(locked));
    Path below = locked.resolve("a");
    assertThatThrownBy(() -> Folders.requireWritable(below))
        .hasMessage(
            ("folder %s cannot be created: permission denied; check its permissions or name another"
                    + " folder")
                .formatted(below));
  }

  @Test
  void saysWhenFileIsInTheWayOfFolder() throws IOException {
    Path file = Files.createFile(folder.resolve("a"));
    assertThatThrownBy(() -> Folders.requireWritable(file))
        .isInstanceOfSatisfying(
            FolderException.class, refusal -> assertThat(refusal.exitCode()).isEqualTo(2))
        .hasMessage(
            file + " cannot be a folder: it is a file; remove the file or name another folder");
    Path below = file.resolve("b/c");
    assertThatThrownBy(() -> Folders.requireWritable(below))
        .hasMessage(
            "%s cannot be a folder: %s is a file; remove the file or name another folder"
                .formatted(below, file));
  }
}
