package io.kindred.storage.config;

import io.kindred.storage.config.ConfigNode.Mapping;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads YAML into a tree that records line numbers. */
public final class ConfigFile {
  private ConfigFile() {}

  public static Mapping read(Path file) {
    Origin origin = Origin.named(file.toString());
    try {
      return parse(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
    } catch (NoSuchFileException missing) {
      throw new ConfigException(origin, "there is no such file");
    } catch (CharacterCodingException notText) {
      throw new ConfigException(origin, "is not UTF-8 text");
    } catch (IOException unreadable) {
      throw new ConfigException(
          origin,
          Files.isDirectory(file)
              ? "is a folder; name an experiment file"
              : "cannot be read: " + unreadable.getMessage());
    }
  }

  /** Reads a whole document, which must be a mapping. */
  public static Mapping parse(String source, String text) {
    ConfigNode root = new YamlReader(source).document(text);
    if (root instanceof Mapping mapping) {
      // The origin of the whole document is the file itself: its first key's line would blame that
      // key.
      return new Mapping(mapping.entries(), Origin.named(source));
    }
    throw new ConfigException(root.origin(), "must hold keys and values, such as 'rounds: 100'");
  }

  /** Reads a value from one line, such as the right side of a {@code --set}. */
  public static ConfigNode value(String text, Origin origin) {
    return new YamlReader(origin).document(text);
  }
}
