package io.kindred.runtime.config;

import io.kindred.core.weights.Digest;
import io.kindred.storage.config.ConfigNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** One run of a grid: the swept values chosen for it, and the resulting experiment. */
public record GridCell(List<Choice> choices, Experiment experiment) {
  /** A swept key, the value it takes here, and how a table calls that value. */
  public record Choice(String path, ConfigNode value, String label) {}

  public GridCell {
    choices = List.copyOf(choices);
  }

  /** The choices that distinguish this cell from the others of its grid, as text. */
  public String label() {
    return choices.isEmpty()
        ? "run"
        : choices.stream()
            .map(
                choice ->
                    choice.path().equals("method")
                        ? choice.label()
                        : choice.path() + "=" + choice.label())
            .collect(Collectors.joining(", "));
  }

  /** The choice for a key, empty where it is not swept. */
  public String labelOf(String path) {
    return choices.stream()
        .filter(choice -> choice.path().equals(path))
        .map(Choice::label)
        .findFirst()
        .orElse("");
  }

  /**
   * The folder of this cell. Its name has a digest of the resolved configuration, so a changed file
   * never finds the results of its earlier version.
   */
  public String folderName() {
    String resolved = ExperimentFile.resolvedYaml(experiment.withWorkers(0));
    String digest = Digest.of(resolved.getBytes(StandardCharsets.UTF_8)).hex().substring(0, 8);
    String slug = ExperimentFile.slug(label());
    return slug.substring(0, Math.min(60, slug.length())) + "-" + digest;
  }
}
