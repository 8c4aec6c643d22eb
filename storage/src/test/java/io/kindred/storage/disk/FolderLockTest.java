package io.kindred.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {
  @TempDir private Path folder;

  @Test
  void aFolderHasOneUserAtATime() {
    try (FolderLock _ = FolderLock.acquire(folder)) {
      assertThatThrownBy(() -> FolderLock.acquire(folder))
          .isInstanceOf(FolderException.class)
          .hasMessageContaining("another process uses the folder " + folder);
    }
    FolderLock.acquire(folder).close();
  }

  @Test
  void whatAKilledProcessLeftUnfinishedIsCleared() throws IOException {
    Path below = Files.createDirectories(folder.resolve("state"));
    Path left = Files.writeString(below.resolve(".1.state.77-3.part"), "half");
    Path whole = Files.writeString(below.resolve("1.state"), "whole");
    FolderLock.acquire(folder).close();
    assertThat(left).doesNotExist();
    assertThat(whole).hasContent("whole");
  }
}
