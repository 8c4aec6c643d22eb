package io.kindred.experiment;

import io.kindred.core.random.RandomStreams;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.TextFolder;
import io.kindred.simulator.SimulationBuilder;
import java.nio.file.Path;

/**
 * Builds the simulation of an experiment: its peers in the environment that the experiment
 * describes.
 */
public final class ExperimentAssembler {
  private ExperimentAssembler() {}

  public static SimulationBuilder of(Experiment experiment, DataFiles files) {
    PeerFactory factory = PeerAssembler.peerFactory(experiment, files);
    return new SimulationBuilder(
        factory.method(),
        factory.datasets(),
        factory.architecture(),
        world(experiment),
        factory.training(),
        factory.rounds(),
        factory.seed(),
        factory.start(),
        factory.conduct());
  }

  private static SimulatedEnvironment world(Experiment experiment) {
    TextFolder files = new TextFolder(Path.of(""));
    return new SimulatedEnvironment(
        PeerAssembler.graph(experiment),
        experiment.network().read(experiment.peers(), files),
        experiment.churn().read(experiment.peers(), files),
        experiment.faults(),
        new RandomStreams(experiment.seed()));
  }
}
