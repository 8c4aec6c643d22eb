package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A simple name means one thing: no two top-level types of the main code share it. */
class UniqueNamesTest {
  @Test
  void noTwoTopLevelTypesShareASimpleName() {
    List<String> names = new ArrayList<>();
    for (MavenModule module : Repository.modules()) {
      for (SourceFile file : module.mainSources()) {
        names.add(file.name());
      }
    }
    assertThat(shared(names)).isEmpty();
  }

  @Test
  void plantedNamesAreFoundWithTheirPlaces() {
    assertThat(
            shared(
                List.of(
                    "core/a/Member.java",
                    "core/a/package-info.java",
                    "node/b/package-info.java",
                    "node/b/Member.java",
                    "node/b/Ticks.java")))
        .containsExactly(
            "Member is declared in core/a/Member.java, node/b/Member.java; remedy: give each the"
                + " name that says what it is there");
  }

  private static List<String> shared(List<String> paths) {
    SortedMap<String, List<String>> places = new TreeMap<>();
    for (String path : paths) {
      String name = path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
      if (!name.equals("package-info")) {
        places.computeIfAbsent(name, unseen -> new ArrayList<>()).add(path);
      }
    }
    List<String> findings = new ArrayList<>();
    places.forEach(
        (name, where) -> {
          if (where.size() > 1) {
            findings.add(
                name
                    + " is declared in "
                    + String.join(", ", where)
                    + "; remedy: give each the name that says what it is there");
          }
        });
    return findings;
  }
}
