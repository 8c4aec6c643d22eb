package io.kindred.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Catalogue;
import io.kindred.storage.config.ConfigFile;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReferencePageTest {
  private static final Path FILE =
      Path.of(Files.exists(Path.of("../docs")) ? ".." : "", "docs/reference/experiment-files.md");

  /** Rewrites the page if {@code kindred.rewrite} is set, and then compares. */
  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    if (Boolean.getBoolean("kindred.rewrite")) {
      Files.writeString(FILE, ReferencePage.render());
    }
    assertThat(FILE)
        .as(
            "stale; rewrite it with: ./x -pl runtime -am test -Dtest=ReferencePageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true")
        .hasContent(ReferencePage.render());
  }

  @Test
  void everyKeyAndEveryChoiceHasItsPlace() {
    String page = ReferencePage.render();
    for (RecordComponent key : Experiment.class.getRecordComponents()) {
      assertThat(page).contains("\n| `" + key.getName() + "` | ");
    }
    assertThat(page)
        .contains(
            "\n| `training.learningRate` | number above 0 and at most 100 | `0.05` | step size |\n")
        .contains("\n| `table.rows` | ")
        .contains("\n| `method` | [choice](#method) | must be given | ");
    for (Catalogue<?> catalogue : Experiment.CATALOGUES) {
      assertThat(page).contains("\n## " + Experiment.keyOf(catalogue) + "\n");
      for (String name : catalogue.names()) {
        assertThat(page).contains("\n### `" + name + "`\n");
      }
    }
  }

  @Test
  void theExamplesOnThePageAreRead() {
    Matcher examples =
        Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL).matcher(ReferencePage.render());
    List<Integer> cells = new ArrayList<>();
    while (examples.find()) {
      String text = examples.group(1);
      String whole = text.contains("method: {") ? text : "method: local\n" + text;
      ExperimentFile file =
          ExperimentFile.of(ConfigFile.parse("example", whole), Optional.empty(), List.of());
      assertThat(file.table().rows()).isEqualTo("method");
      cells.add(file.cells().size());
    }
    assertThat(cells).as("one run, a grid, and a list of cases").containsExactly(1, 18, 2);
  }
}
