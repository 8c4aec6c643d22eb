package io.kindred.report.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The artifacts in a run folder: partition, model similarity and overlay hierarchy, each optional.
 */
public record RunArtifacts(
    Optional<LabelCounts> labelCounts,
    Optional<SimilarityTable> similarity,
    Optional<OverlayTree> overlay) {

  static RunArtifacts read(Path folder) throws IOException {
    Path shares = folder.resolve("partition.csv");
    Path similarity = folder.resolve("similarity.csv");
    return new RunArtifacts(
        Files.isRegularFile(shares) ? Optional.of(LabelCounts.read(shares)) : Optional.empty(),
        Files.isRegularFile(similarity)
            ? Optional.of(SimilarityTable.read(similarity))
            : Optional.empty(),
        overlay(folder.resolve("hierarchy.json")));
  }

  private static Optional<OverlayTree> overlay(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(OverlayTree.of(new JsonMapper().readTree(Files.readAllBytes(file))));
    } catch (JacksonException damaged) {
      throw new DamagedRunException(file, RunReader.line(damaged), damaged.getOriginalMessage());
    }
  }
}
