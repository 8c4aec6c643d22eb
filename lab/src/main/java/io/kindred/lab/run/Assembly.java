package io.kindred.lab.run;

import io.kindred.core.random.RandomStreams;
import io.kindred.lab.experiment.Experiment;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.Cast;
import io.kindred.simulator.Setup;
import io.kindred.world.World;
import java.nio.file.Path;

/** Turns an experiment into a simulation: its peers in the simulated environment it describes. */
public final class Assembly {
  private Assembly() {}

  public static Setup of(Experiment experiment, DataFiles files) {
    Cast cast = PeerAssembler.cast(experiment, files);
    return new Setup(
        cast.method(),
        cast.holdings(),
        cast.architecture(),
        world(experiment),
        cast.training(),
        cast.rounds(),
        cast.seed(),
        cast.start());
  }

  private static World world(Experiment experiment) {
    return new World(
        PeerAssembler.graph(experiment),
        experiment.network(),
        experiment.churn().read(experiment.peers(), new TextFolder(Path.of(""))),
        experiment.faults(),
        new RandomStreams(experiment.seed()));
  }
}
