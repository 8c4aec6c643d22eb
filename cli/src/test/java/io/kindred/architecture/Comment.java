package io.kindred.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A comment of a source file and its first line; text in string literals is no comment. */
record Comment(int line, String text) {
  /** Literals come first so that a comment sign inside one is skipped. */
  private static final Pattern LITERAL_OR_COMMENT =
      Pattern.compile(
          """
          \"""(?:[^"\\\\]++|\\\\.|"(?!""))*+\"""\
          |"(?:[^"\\\\\\n]++|\\\\.)*+"\
          |'(?:[^'\\\\\\n]++|\\\\.)*+'\
          |(?<comment>//[^\\n]*|/\\*.*?\\*/)""",
          Pattern.DOTALL);

  static List<Comment> in(String source) {
    List<Comment> comments = new ArrayList<>();
    Matcher matcher = LITERAL_OR_COMMENT.matcher(source);
    int line = 1;
    int counted = 0;
    while (matcher.find()) {
      String text = matcher.group("comment");
      if (text != null) {
        line +=
            (int) source.substring(counted, matcher.start()).chars().filter(c -> c == '\n').count();
        counted = matcher.start();
        comments.add(new Comment(line, text));
      }
    }
    return comments;
  }

  boolean isDocumentation() {
    return text.startsWith("/**") || text.startsWith("///");
  }

  /** The lines of the comment, without comment signs. */
  List<String> lines() {
    return text.lines()
        .map(each -> each.replaceFirst("^\\s*(//+|/\\*+|\\*(?!/))?\\s?", ""))
        .map(each -> each.replaceFirst("\\s*\\*/\\s*$", "").strip())
        .toList();
  }
}
