package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The glossary names types that exist, so that a rename cannot leave it behind. */
class GlossaryTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "glossary.md");
  private static final Pattern TYPE = Pattern.compile("`@?((?:[A-Z]\\w*\\.)*[A-Z]\\w*)`");

  @Test
  void everyTypeOfTheGlossaryExists() throws IOException {
    assertThat(unknown(Files.readString(PAGE), declared())).isEmpty();
  }

  @Test
  void aPlantedNameIsFoundWithItsLine() {
    SortedSet<String> declared = new TreeSet<>(List.of("Member", "Beat"));
    assertThat(unknown("| `Member` |\n| `@Member`, `Member.Beat`, `Ward` |\n", declared))
        .containsExactly(
            "line 2: there is no type Ward; remedy: name the type as it is called now");
  }

  private static List<String> unknown(String page, SortedSet<String> declared) {
    List<String> findings = new ArrayList<>();
    List<String> lines = page.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher names = TYPE.matcher(lines.get(i));
      while (names.find()) {
        for (String part : List.of(names.group(1).split("\\."))) {
          if (!declared.contains(part)) {
            findings.add(
                "line %d: there is no type %s; remedy: name the type as it is called now"
                    .formatted(i + 1, part));
          }
        }
      }
    }
    return findings;
  }

  private static SortedSet<String> declared() {
    SortedSet<String> names = new TreeSet<>();
    for (MavenModule module : Repository.modules()) {
      for (SourceFile file : module.mainSources()) {
        new TreeScanner<@Nullable Void, @Nullable Void>() {
          @Override
          public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
            names.add(type.getSimpleName().toString());
            return super.visitClass(type, null);
          }
        }.scan(file.tree(), null);
      }
    }
    return names;
  }
}
