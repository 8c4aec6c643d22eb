package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Files and methods stay small enough to be read in one sitting. */
class SizesTest {
  private static final int FILE_LINES = 500;
  private static final int METHOD_LINES = 60;

  @Test
  void everyFileAndMethodIsShortEnough() {
    List<String> findings = new ArrayList<>();
    for (SourceFile file : Repository.sources()) {
      findings.addAll(tooLong(file));
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void sourcesOfAllModulesAreFound() {
    assertThat(Repository.modules())
        .extracting(MavenModule::name)
        .contains("core", "simulator", "cli");
    assertThat(Repository.sources())
        .extracting(SourceFile::name)
        .contains(
            "core/src/main/java/io/kindred/core/peer/Event.java",
            "cli/src/test/java/io/kindred/architecture/SizesTest.java");
  }

  @Test
  void aFileOfTheLimitPassesAndOneLineMoreIsFound() {
    assertThat(tooLong(SourceFile.parse("Long.java", "class Long {}\n".repeat(FILE_LINES))))
        .isEmpty();
    assertThat(tooLong(SourceFile.parse("Long.java", "class Long {}\n".repeat(FILE_LINES + 1))))
        .singleElement()
        .asString()
        .startsWith("Long.java:501: the file has 501 lines, limit 500");
  }

  @Test
  void aMethodOfTheLimitPassesAndOneLineMoreIsFound() {
    assertThat(tooLong(method("@Deprecated\nvoid run() {\n", METHOD_LINES - 3))).isEmpty();
    assertThat(tooLong(method("@Deprecated\nvoid run() {\n", METHOD_LINES - 2)))
        .singleElement()
        .asString()
        .startsWith("Long.java:2: method run has 61 lines, limit 60");
  }

  @Test
  void constructorsAndInitializersCountAsMethods() {
    assertThat(tooLong(method("Long {\n", METHOD_LINES)))
        .singleElement()
        .asString()
        .contains("constructor has 62 lines");
    assertThat(tooLong(method("static {\n", METHOD_LINES)))
        .singleElement()
        .asString()
        .contains("initializer has 62 lines");
  }

  private static SourceFile method(String head, int bodyLines) {
    return SourceFile.parse(
        "Long.java", "record Long() {\n" + head + ";\n".repeat(bodyLines) + "}\n}\n");
  }

  private static List<String> tooLong(SourceFile file) {
    List<String> findings = new ArrayList<>();
    if (file.lines() > FILE_LINES) {
      findings.add(
          finding(file, file.lines(), "the file", file.lines(), FILE_LINES)
              + "; remedy: split it by message or by responsibility");
    }
    new Methods(file).scan(file.tree(), findings);
    return findings;
  }

  private static String finding(SourceFile file, long line, String what, long actual, int limit) {
    return file.name() + ":" + line + ": " + what + " has " + actual + " lines, limit " + limit;
  }

  /** Measures every body directly inside a class, from its annotations to its closing brace. */
  private static final class Methods extends TreeScanner<@Nullable Void, List<String>> {
    private final SourceFile file;

    Methods(SourceFile file) {
      this.file = file;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, List<String> findings) {
      for (Tree member : type.getMembers()) {
        if (member instanceof MethodTree method) {
          boolean isConstructor = method.getName().contentEquals("<init>");
          measure(method, isConstructor ? "constructor" : "method " + method.getName(), findings);
        } else if (member instanceof BlockTree) {
          measure(member, "initializer", findings);
        }
      }
      return super.visitClass(type, findings);
    }

    private void measure(Tree body, String what, List<String> findings) {
      long actual = file.lastLine(body) - file.firstLine(body) + 1;
      if (actual > METHOD_LINES) {
        findings.add(
            finding(file, file.firstLine(body), what, actual, METHOD_LINES)
                + "; remedy: name its parts and call them");
      }
    }
  }
}
