package io.kindred.runtime.folder;

import io.kindred.core.config.TextFiles;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Texts below a folder, or wherever an absolute path points. */
public final class TextFolder implements TextFiles {
  private final Path folder;

  public TextFolder(Path folder) {
    this.folder = folder;
  }

  @Override
  public Optional<String> read(String path) {
    Path file = folder.resolve(path);
    try {
      return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    } catch (CharacterCodingException notText) {
      throw unreadable(file, "is not UTF-8 text");
    } catch (IOException e) {
      throw unreadable(
          file, Files.isDirectory(file) ? "is a folder" : "cannot be read: " + e.getMessage());
    }
  }

  private static OperatorException unreadable(Path file, String why) {
    return new OperatorException(
        OperatorException.WRONG_USE, file + " " + why + "; name a text file");
  }
}
