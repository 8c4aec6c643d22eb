package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Comments hold sentences: neither dead code nor an open task without a condition. */
class CommentsTest {
  private static final Pattern MARK = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

  /** The only allowed form, which says when and what. */
  private static final Pattern DATED = Pattern.compile("TODO\\([^)]*\\p{L}[^)]*\\): \\p{L}.*");

  /**
   * Lines that end like a statement and call, assign or jump. The parser then decides, because
   * prose also ends lines with a semicolon.
   */
  private static final Pattern LIKE_CODE =
      Pattern.compile("(.*[(=@].*|(return|throw|import|package|break|continue)\\b.*)[;}]");

  @Test
  void noCommentIsAnUndatedWish() {
    assertThat(findingsInAllSources(CommentsTest::undatedMarks)).isEmpty();
  }

  @Test
  void noCommentIsCode() {
    assertThat(findingsInAllSources(CommentsTest::deadCode)).isEmpty();
  }

  @Test
  void plantedMarksAreFoundWithTheirLine() {
    String source =
        """
        /** A TODO in documentation. */
        class Planted {
          // FIXME(release 2): even dated, this word admits a fault
          /* one
           * XXX
           */
          int TODO; // TODO: no when
        }
        """;
    assertThat(undatedMarks(SourceFile.parse("Planted.java", source)))
        .extracting(finding -> finding.substring(0, finding.indexOf(": ")))
        .containsExactly("Planted.java:1", "Planted.java:3", "Planted.java:5", "Planted.java:7");
  }

  @Test
  void aDatedMarkAndAMarkInALiteralPass() {
    String source =
        """
        class Planted {
          // TODO(when the second engine lands): compare both on awkward lengths.
          String text = "// TODO \\" // TODO";
          char quote = '"'; // plain words
        }
        """;
    assertThat(undatedMarks(SourceFile.parse("Planted.java", source))).isEmpty();
  }

  @Test
  void plantedDeadCodeIsFoundWithItsLine() {
    String source =
        """
        class Planted {
          // int x = compute(3);
          // return;
          /*
           * void old() { run(); }
           */
          // import java.util.List;
        }
        """;
    assertThat(deadCode(SourceFile.parse("Planted.java", source)))
        .extracting(finding -> finding.substring(0, finding.indexOf(": ")))
        .containsExactly("Planted.java:2", "Planted.java:3", "Planted.java:5", "Planted.java:7");
  }

  @Test
  void proseAndDocumentedExamplesPass() {
    String source =
        """
        /**
         * run(now);
         */
        class Planted {
          // The first term (see section 3) dominates;
          // so x = 2 is safe (as the paper says);
          String url = "http://example.org/a(b);"; // return to sender
        }
        """;
    assertThat(deadCode(SourceFile.parse("Planted.java", source))).isEmpty();
  }

  private interface Gate {
    List<String> findings(SourceFile file);
  }

  private static List<String> findingsInAllSources(Gate gate) {
    List<String> findings = new ArrayList<>();
    for (SourceFile file : Repository.sources()) {
      findings.addAll(gate.findings(file));
    }
    return findings;
  }

  private static List<String> undatedMarks(SourceFile file) {
    return lines(
        file,
        comment -> true,
        text -> MARK.matcher(text).find() && !DATED.matcher(text).matches(),
        "an undated wish; remedy: do it, or write TODO(when): what");
  }

  private static List<String> deadCode(SourceFile file) {
    return lines(
        file,
        comment -> !comment.isDocumentation(),
        CommentsTest::isCode,
        "commented-out code; remedy: delete it, history keeps it");
  }

  private static List<String> lines(
      SourceFile file, Predicate<Comment> comments, Predicate<String> isWrong, String message) {
    List<String> findings = new ArrayList<>();
    for (Comment comment : Comment.in(file.text())) {
      List<String> words = comment.lines();
      for (int i = 0; i < words.size(); i++) {
        if (comments.test(comment) && isWrong.test(words.get(i))) {
          findings.add(
              file.name() + ":" + (comment.line() + i) + ": " + message + ": " + words.get(i));
        }
      }
    }
    return findings;
  }

  private static boolean isCode(String words) {
    return LIKE_CODE.matcher(words).matches()
        && (parses("class Any { void any() { " + words + " } }")
            || parses("class Any { " + words + " }")
            || parses(words + " class Any {}"));
  }

  private static boolean parses(String text) {
    return SourceFile.parseAnything("Any.java", text).errors() == 0;
  }
}
