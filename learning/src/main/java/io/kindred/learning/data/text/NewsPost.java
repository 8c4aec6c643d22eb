package io.kindred.learning.data.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Takes from a posting what gives its group away without being about it: who wrote it from where in
 * the headers, who signed it, and what others said before.
 */
final class NewsPost {
  private static final Pattern DASHES = Pattern.compile("\\s*-{2,}\\s*");
  private static final Pattern QUOTED = Pattern.compile("\\s*[>|:].*");
  private static final Pattern ATTRIBUTION =
      Pattern.compile("(?i).*(writes|wrote|says|said)\\s*:?\\s*|\\s*in article\\b.*");
  private static final int LONGEST_SIGNATURE = 12;

  private NewsPost() {}

  /** Headers end at the first empty line; a posting without one is all headers. */
  static String withoutHeaders(String post) {
    int end = post.indexOf("\n\n");
    return end < 0 ? "" : post.substring(end + 2);
  }

  /** A signature follows the last line of dashes and has at most twelve lines. */
  static String withoutFooter(String body) {
    List<String> lines = body.stripTrailing().lines().toList();
    for (int i = lines.size() - 1; i > 0 && i >= lines.size() - 1 - LONGEST_SIGNATURE; i--) {
      if (DASHES.matcher(lines.get(i)).matches()) {
        return String.join("\n", lines.subList(0, i));
      }
    }
    return body;
  }

  /** Lines behind a mark of quotation, and the line that says whose they are. */
  static String withoutQuotes(String body) {
    List<String> kept = new ArrayList<>();
    for (String line : body.lines().toList()) {
      if (!QUOTED.matcher(line).matches() && !ATTRIBUTION.matcher(line).matches()) {
        kept.add(line);
      }
    }
    return String.join("\n", kept);
  }
}
