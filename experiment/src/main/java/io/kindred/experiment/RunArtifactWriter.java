package io.kindred.experiment;

import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.RoundTable;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.SimulationBuilder;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.util.Optional;

/**
 * Writes the artifacts of a finished run that figures are drawn from: the data partition, the
 * similarity of the models, and the overlay's hierarchy.
 */
final class RunArtifactWriter {
  private final RunFolder folder;
  private final SimulationBuilder builder;

  RunArtifactWriter(RunFolder folder, SimulationBuilder builder) {
    this.folder = folder;
    this.builder = builder;
  }

  void write(Simulation simulation, RoundTable table) throws IOException {
    RunFolder.writeText(
        folder.partition(), PartitionHistogram.of(builder.peerDatasets()).table().csv());
    Optional<SimilarityMatrix> similarityMatrix =
        SimilarityMatrix.of(
            folder.models(),
            builder.architecture().layout(),
            builder.peerFactory().commonInitialWeights(),
            builder.peerDatasets().splits().size());
    similarityMatrix.ifPresent(
        each ->
            RunFolder.writeText(
                folder.similarity(), each.csv(builder.peerDatasets(), table.clusters())));
    var tree =
        OverlayHierarchy.tree(
            OverlayHierarchy.newestReplicas(
                OverlayHierarchy.overlayStates(simulation.globalView())));
    if (!tree.top().isEmpty()) {
      RunFolder.writeText(folder.hierarchy(), Json.document(tree));
    }
  }
}
