package io.kindred.runtime.config;

import io.kindred.core.config.Catalogue;
import io.kindred.storage.config.SchemaDoc;
import java.util.List;

/**
 * The reference page of experiment files, written from the same records that read them, so that it
 * cannot lag behind. A test compares it with {@code docs/reference/experiment-files.md}.
 */
public final class ReferencePage {
  private static final String INTRODUCTION =
      """
      # Experiment files

      An experiment file is YAML: keys and values, one document. It says what one run is made of; every key but `method` has a
      default, and the run folder keeps the file as it was understood, defaults included. A mistake is answered with file, line,
      key and the nearest valid name. Aliases and tags are not read.

      ```yaml
      method: {name: fedavg, participants: 5}
      partition: {name: dirichlet, alpha: 0.1}
      model: softmax
      peers: 20
      rounds: 10
      ```

      **Choices.** `method`, `method.discovery`, `dataset`, `model`, `partition`, `topology`, `engine`, `churn`, `network.devices`,
      `network.links`, `adversaries.behaviour` and `robust` are chosen by name, and what can be set depends on the name. `model: softmax` is short for `model: {name: softmax}`. A
      section without a name changes settings of the default: `partition: {alpha: 0.1}` is a Dirichlet partition.

      **`--set`** changes a key for one run: `--set partition.alpha=0.3 --set method=local`. The path has dots, the value is YAML. A
      choice with another name replaces the whole section; one with the same name, or a single setting, leaves the rest
      as it is. The order of several `--set` does not matter where one is inside the other.

      **Profiles** are sections with keys to lay over the file, merged by the same rules before `--set`: `--profile smoke`. Three
      names have a meaning: `paper` is the setting as printed, `laptop` asks the same question with two cores in mind, `smoke`
      takes seconds and shows that the file runs.

      **Grids.** With `sweep`, `cases` or `seeds` a file stands for many runs: every combination of the swept values, for every seed.
      Each cell has a folder named after its choices and a digest of its configuration. The same command runs only what is
      missing, so a grid can be stopped, extended and gone on with.

      ```yaml
      partition: dirichlet
      sweep:
        method: [local, fedavg, {name: fedavg, fineTune: 1}]
        partition.alpha: [0.1, 1.0]
      seeds: [1, 2, 3]
      table: {rows: method, columns: partition.alpha, cell: accuracy.local.mean}
      profiles:
        smoke: {peers: 6, rounds: 2, seeds: [1]}
      ```

      **Cases.** `cases` lists keys that change together, such as a method and the learning rate that suits it. Every case meets
      every combination of `sweep` and every seed. [`tune`](../how-to/tune-methods.md) writes such a file.

      ```yaml
      cases:
        - {method: {name: fedavg, fineTune: 2}, training: {learningRate: 0.1}}
        - {method: local, training: {learningRate: 0.05}}
      ```

      **Tables.** `table` says how the grid is shown: which swept key runs down, which across, and which figure of
      [summary.json](../run-format.md) stands in a cell, as mean and deviation over seeds. A third swept key is named in the
      rows. Without `columns` the table compares all the usual figures.

      """;

  private static final String FILE_KEYS =
      """
      ## Keys of the file

      They say which runs there are and how they are shown, and never reach a run.

      | key | type | default | meaning |
      |---|---|---|---|
      | `profiles` | sections by name | none | keys to lay over the file when `--profile NAME` asks for it |
      | `cases` | list of sections | none | keys that change together; each section is laid over the file |
      | `sweep` | lists by dotted path | none | values to try for each key; a value may be a whole choice |
      | `seeds` | list of whole numbers | none | values to try for `seed`; `--seed N` takes their place |
      | `table` | section | `{}` | how the results of a grid are laid out |
      """;

  private final SchemaDoc schema = new SchemaDoc(Experiment.CATALOGUES);
  private final StringBuilder page = new StringBuilder();

  // Link from the written page to the page that describes choices; empty if it is the same page.
  private final String choicesPage;

  private ReferencePage(String choicesPage) {
    this.choicesPage = choicesPage;
  }

  /** The whole page. */
  public static String render() {
    return new ReferencePage("").write();
  }

  /** The table of a record's settings for another page of the same folder. */
  public static String settings(Class<? extends Record> root) {
    ReferencePage page = new ReferencePage("experiment-files.md");
    page.table(page.schema.rows(root), "");
    return page.page.toString();
  }

  private String write() {
    page.append(INTRODUCTION);
    page.append("## Keys of a run\n\n");
    table(schema.rows(Experiment.class), "");
    page.append('\n').append(FILE_KEYS);
    rows(schema.rows(TableShape.class), "table.");
    for (Catalogue<?> catalogue : Experiment.CATALOGUES) {
      choices(catalogue);
    }
    page.append("\nThis page is generated; `")
        .append("./x -pl runtime -am test -Dtest=ReferencePageTest")
        .append(" -Dsurefire.failIfNoSpecifiedTests=false -Dkindred.rewrite=true")
        .append("` rewrites it.\n");
    return page.toString();
  }

  private void choices(Catalogue<?> catalogue) {
    page.append("\n## ").append(Experiment.keyOf(catalogue)).append('\n');
    for (SchemaDoc.Choice choice : schema.choices(catalogue)) {
      page.append("\n### `").append(choice.name()).append("`\n\n");
      page.append(sentence(choice.summary())).append('\n');
      if (!choice.settings().isEmpty()) {
        page.append('\n');
        table(choice.settings(), "");
      }
    }
  }

  private void table(List<SchemaDoc.Row> settings, String prefix) {
    page.append("| key | type | default | meaning |\n|---|---|---|---|\n");
    rows(settings, prefix);
  }

  private void rows(List<SchemaDoc.Row> settings, String prefix) {
    for (SchemaDoc.Row row : settings) {
      page.append("| `").append(prefix).append(row.path()).append("` | ");
      page.append((type(row) + " " + row.bounds()).strip()).append(" | ");
      page.append(fallback(row)).append(" | ");
      page.append(cell(row.doc())).append(" |\n");
    }
  }

  /** A choice is described in a section of its own. */
  private String type(SchemaDoc.Row row) {
    for (Catalogue<?> catalogue : Experiment.CATALOGUES) {
      if (row.type().equals(catalogue.noun())) {
        return "[choice](" + choicesPage + "#" + Experiment.keyOf(catalogue).replace(".", "") + ")";
      }
    }
    return cell(row.type());
  }

  private static String fallback(SchemaDoc.Row row) {
    if (row.required()) {
      return "must be given";
    }
    return row.fallback().isEmpty() ? "none" : "`" + cell(row.fallback()) + "`";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  /** Summaries are written to follow a name; here they stand alone. */
  private static String sentence(String summary) {
    return summary.isEmpty()
        ? ""
        : Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + ".";
  }
}
