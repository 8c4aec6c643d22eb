package io.kindred.storage.config;

import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;

/** Finds the location of a dotted path such as {@code training.layers[2].width} in a tree. */
final class Locator {
  private Locator() {}

  /** The location of the path, or of the deepest section on it. */
  static Origin nearest(ConfigNode root, String path) {
    return switch (root) {
      case Scalar scalar -> scalar.origin();
      case Mapping mapping -> inMapping(mapping, path);
      case Sequence sequence -> inSequence(sequence, path);
    };
  }

  static String join(String section, String key) {
    return section.isEmpty() ? key : section + "." + key;
  }

  private static Origin inMapping(Mapping mapping, String path) {
    Entry longest = null;
    for (Entry entry : mapping.entries()) {
      // A key may hold dots itself, as those of `sweep` do, so the longest key that fits wins.
      if (isPrefixOf(entry.key(), path)
          && (longest == null || entry.key().length() > longest.key().length())) {
        longest = entry;
      }
    }
    if (longest == null) {
      return mapping.origin();
    }
    String rest = path.substring(longest.key().length());
    if (rest.isEmpty() || longest.value() instanceof Scalar) {
      return longest.origin();
    }
    return nearest(longest.value(), rest.startsWith(".") ? rest.substring(1) : rest);
  }

  private static Origin inSequence(Sequence sequence, String path) {
    int close = path.indexOf(']');
    if (path.startsWith("[") && close > 1) {
      String digits = path.substring(1, close);
      if (digits.matches("\\d{1,9}") && Integer.parseInt(digits) < sequence.items().size()) {
        String rest = path.substring(close + 1);
        return nearest(
            sequence.items().get(Integer.parseInt(digits)),
            rest.startsWith(".") ? rest.substring(1) : rest);
      }
    }
    return sequence.origin();
  }

  private static boolean isPrefixOf(String key, String path) {
    return path.startsWith(key)
        && (path.length() == key.length()
            || path.charAt(key.length()) == '.'
            || path.charAt(key.length()) == '[');
  }
}
