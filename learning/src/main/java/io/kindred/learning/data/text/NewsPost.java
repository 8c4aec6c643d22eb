package io.kindred.learning.data.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Removes the parts of a posting that reveal its group without being about its topic: headers,
 * signature and quotations.
 */
final class NewsPost {
  private static final Pattern DASHES = Pattern.compile("\\s*-{2,}\\s*");
  private static final Pattern QUOTED = Pattern.compile("\\s*[>|:].*");
  private static final Pattern ATTRIBUTION =
      Pattern.compile("(?i).*(writes|wrote|says|said)\\s*:?\\s*|\\s*in article\\b.*");
  private static final int LONGEST_SIGNATURE = 12;

  private NewsPost() {}

  /**
   * Removes the headers, which end at the first empty line; a posting without an empty line is all
   * headers.
   */
  static String withoutHeaders(String post) {
    int end = post.indexOf("\n\n");
    return end < 0 ? "" : post.substring(end + 2);
  }

  /** Removes the signature, which follows the last line of dashes and has at most twelve lines. */
  static String withoutFooter(String body) {
    List<String> lines = body.stripTrailing().lines().toList();
    for (int i = lines.size() - 1; i > 0 && i >= lines.size() - 1 - LONGEST_SIGNATURE; i--) {
      if (DASHES.matcher(lines.get(i)).matches()) {
        return String.join("\n", lines.subList(0, i));
      }
    }
    return body;
  }

  /** Removes quoted lines and the attribution lines above them. */
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
