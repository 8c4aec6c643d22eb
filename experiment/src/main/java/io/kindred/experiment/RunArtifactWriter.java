package io.kindred.experiment;

import io.kindred.methods.contract.PeerFactory;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.ModelCard;
import io.kindred.runtime.metrics.OverallMeasures;
import io.kindred.runtime.metrics.PeerExplanations;
import io.kindred.runtime.metrics.PeerGroups;
import io.kindred.runtime.metrics.RoundTable;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.SimulationBuilder;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/**
 * Writes the artifacts of a finished run that figures are drawn from: the data partition, the
 * similarity of the models, the overlay's hierarchy, and what explains the models.
 */
final class RunArtifactWriter {
  private final Experiment experiment;
  private final RunFolder folder;
  private final SimulationBuilder builder;

  RunArtifactWriter(Experiment experiment, RunFolder folder, SimulationBuilder builder) {
    this.experiment = experiment;
    this.folder = folder;
    this.builder = builder;
  }

  void write(Simulation simulation, RoundTable table) throws IOException {
    RunFolder.writeText(
        folder.partition(), PartitionHistogram.of(builder.peerDatasets()).table().csv());
    OverallMeasures.of(folder.metrics())
        .confusionCsv(builder.peerDatasets().dataset()::className)
        .ifPresent(each -> RunFolder.writeText(folder.confusion(), each));
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
    writeExplanations();
  }

  /** Explains what peers deploy, in one file and on the cards beside the saved models. */
  private void writeExplanations() {
    PeerExplanations.Collector lines = PeerExplanations.Collector.of(folder.metrics());
    Optional<PeerExplanations> explanations =
        lines.explanations(PeerGroups.of(builder.peerDatasets()));
    explanations.ifPresent(each -> RunFolder.writeText(folder.explanations(), Json.document(each)));
    PeerFactory factory = builder.peerFactory();
    for (int peer = 0; peer < experiment.peers(); peer++) {
      if (Files.isRegularFile(folder.models().resolve("peer-" + peer + ".safetensors"))) {
        long number = peer;
        RunFolder.writeText(
            folder.models().resolve("peer-" + peer + ".md"),
            new ModelCard(
                    experiment,
                    factory,
                    number,
                    experiment.rounds(),
                    lines.newest(number),
                    explanations.flatMap(each -> each.of(number)),
                    Optional.empty())
                .text());
      }
    }
  }
}
