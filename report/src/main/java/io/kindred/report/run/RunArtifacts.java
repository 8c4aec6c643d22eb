package io.kindred.report.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The artifacts in a run folder: partition, model similarity, overlay hierarchy, explanations and
 * confusions, each optional.
 */
public record RunArtifacts(
    Optional<LabelCounts> labelCounts,
    Optional<SimilarityTable> similarity,
    Optional<OverlayTree> overlay,
    Optional<Explanations> explanations,
    Optional<Confusions> confusions) {

  static RunArtifacts read(Path folder) throws IOException {
    Path shares = folder.resolve("partition.csv");
    Path similarity = folder.resolve("similarity.csv");
    Path confusions = folder.resolve("confusion.csv");
    List<String> classes =
        document(folder.resolve("data.json")).map(RunArtifacts::classes).orElse(List.of());
    return new RunArtifacts(
        Files.isRegularFile(shares)
            ? Optional.of(LabelCounts.read(shares, classes))
            : Optional.empty(),
        Files.isRegularFile(similarity)
            ? Optional.of(SimilarityTable.read(similarity))
            : Optional.empty(),
        document(folder.resolve("hierarchy.json")).map(OverlayTree::of),
        document(folder.resolve("explanations.json")).map(each -> Explanations.of(each, classes)),
        Files.isRegularFile(confusions)
            ? Optional.of(Confusions.read(confusions, classes))
            : Optional.empty());
  }

  private static List<String> classes(JsonNode reading) {
    List<String> classes = new ArrayList<>();
    reading.path("task").path("classes").forEach(each -> classes.add(each.asString()));
    return classes;
  }

  private static Optional<JsonNode> document(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new JsonMapper().readTree(Files.readAllBytes(file)));
    } catch (JacksonException damaged) {
      throw new DamagedRunException(file, RunReader.line(damaged), damaged.getOriginalMessage());
    }
  }
}
