package io.kindred.lab.run;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.lab.experiment.Experiment;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.training.Holdings;
import io.kindred.simulator.Setup;
import io.kindred.world.TextFiles;
import io.kindred.world.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns an experiment into a setup: data, shares, model, graph. Everything here follows from the
 * seed.
 */
public final class Assembly {
  private Assembly() {}

  public static Setup of(Experiment experiment, DataFiles files) {
    RandomStreams streams = new RandomStreams(experiment.seed());
    Dataset dataset = experiment.dataset().load(streams, files);
    return new Setup(
        experiment.method(),
        new Holdings(dataset, share(experiment, dataset, streams)),
        experiment.model().sizedFor(dataset),
        world(experiment, streams),
        experiment.training(),
        experiment.rounds(),
        experiment.seed());
  }

  private static World world(Experiment experiment, RandomStreams streams) {
    TextFiles texts = new TextFolder(Path.of(""));
    return new World(
        experiment
            .topology()
            .connect(experiment.peers(), streams.stream(Purpose.TOPOLOGY, 0, 0), texts),
        experiment.network(),
        experiment.churn().read(experiment.peers(), texts),
        experiment.faults(),
        streams);
  }

  private static List<Holdout.Parts> share(
      Experiment experiment, Dataset dataset, RandomStreams streams) {
    Ints labels = dataset.train().labels();
    List<Ints> shares =
        experiment
            .partition()
            .assign(
                labels,
                dataset.classes(),
                experiment.peers(),
                streams.stream(Purpose.PARTITION, 0, 0));
    List<Holdout.Parts> parts = new ArrayList<>();
    for (int peer = 0; peer < shares.size(); peer++) {
      parts.add(
          Holdout.split(
              shares.get(peer),
              labels,
              experiment.evaluation().validation(),
              experiment.evaluation().localTest(),
              streams.stream(Purpose.HOLD_OUT, peer, 0)));
    }
    return parts;
  }
}
