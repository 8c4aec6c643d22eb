package io.kindred.storage.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The valid name that a mistyped one most likely stands for. */
public final class NearestName {
  /** A shorter prefix is too ambiguous to suggest the rest. */
  private static final int SHORTEST_BEGINNING = 3;

  private NearestName() {}

  public static Optional<String> among(List<String> known, String written) {
    String wanted = plain(written);
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String name : known) {
      int distance = distance(wanted, plain(name));
      if (distance < least) {
        least = distance;
        nearest = name;
      }
    }
    boolean near = least < wanted.length() && least <= Math.max(1, wanted.length() / 3);
    return near ? Optional.ofNullable(nearest) : Optional.empty();
  }

  /** Equal but for case, hyphens and underscores, such as learning-rate and learningRate. */
  static boolean sameWords(String one, String other) {
    return plain(one).equals(plain(other));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }

  private static int distance(String one, String other) {
    boolean begins = one.startsWith(other) || other.startsWith(one);
    if (begins
        && !one.equals(other)
        && Math.min(one.length(), other.length()) >= SHORTEST_BEGINNING) {
      return 1;
    }
    return damerauLevenshtein(one, other);
  }

  /** Edits between two names, where swapping neighbouring letters is one edit. */
  private static int damerauLevenshtein(String one, String other) {
    int[][] edits = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        int least =
            Math.min(edits[i - 1][j - 1] + change, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          least = Math.min(least, edits[i - 2][j - 2] + 1);
        }
        edits[i][j] = least;
      }
    }
    return edits[one.length()][other.length()];
  }
}
