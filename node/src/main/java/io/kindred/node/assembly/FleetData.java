package io.kindred.node.assembly;

import io.kindred.core.compute.DataView;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Task;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.node.task.NetworkTask;
import io.kindred.node.task.NetworkTask.HeldOut;
import io.kindred.node.task.NetworkTask.TaskLimits;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.config.EvaluationSettings;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentBuilder;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.disk.LabelledSamples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The task of a fleet, and the own data of each of its nodes: the peer's share of the experiment's
 * data set. A node holds samples of its share out as the simulator does.
 */
final class FleetData {
  /** The file of a node's samples. */
  static final String FILE = "data.safetensors";

  private final Experiment experiment;
  private final PeerDatasets shares;

  private FleetData(Experiment experiment, PeerDatasets shares) {
    this.experiment = experiment;
    this.shares = shares;
  }

  /** Divides the data; an experiment that no task can say is refused with the remedy. */
  static FleetData of(Experiment experiment, DataFiles files) {
    if (experiment.start().isPresent()) {
      throw new SettingException(
          "start", "nodes start from drawn weights", "leave 'start' out for a fleet");
    }
    EvaluationSettings given = experiment.evaluation();
    EvaluationSettings undivided =
        new EvaluationSettings(
            given.every(),
            0,
            0,
            EvaluationSettings.SampleSplit.TEST,
            given.global(),
            0,
            given.targets(),
            given.saveModels(),
            given.peers());
    // A hostile node poisons its samples itself.
    PeerDatasets shares =
        PeerAssembler.peerDatasets(
            ExperimentBuilder.from(experiment).evaluation(undivided).build().withoutAdversaries(),
            files);
    if (shares.dataset().task() != Task.CLASSIFICATION || shares.dataset().classes() < 2) {
      throw new SettingException(
          "dataset",
          "the samples of a node have classes, but these have none",
          "choose a data set with at least two classes");
    }
    return new FleetData(experiment, shares);
  }

  /** What the nodes of the fleet agree on. */
  NetworkTask task() {
    Dataset dataset = shares.dataset();
    return new NetworkTask(
        "fleet",
        1,
        Optional.empty(),
        TaskInputs.ofShape(dataset.shape()),
        IntStream.range(0, dataset.classes()).mapToObj(dataset::className).toList(),
        experiment.method(),
        experiment.model(),
        experiment.training(),
        experiment.rounds(),
        0,
        experiment.seed(),
        Optional.of(experiment.peers()),
        new HeldOut(experiment.evaluation().localTest(), experiment.evaluation().validation()),
        TaskLimits.DEFAULTS,
        experiment.robust(),
        experiment.hostilePeers().isEmpty()
            ? Optional.empty()
            : ExperimentFile.resolvedTree(experiment).find("adversaries"));
  }

  /** Writes the share of a peer as its own data. */
  void write(Path folder, int peer) {
    SampleRows rows = shares.rows(new PeerId(peer), DataView.own(DataView.Split.TRAIN));
    int[] labels = IntStream.range(0, rows.count()).map(rows::label).toArray();
    List<Integer> shape = shares.dataset().shape();
    try {
      LabelledSamples.write(
          folder.resolve(FILE),
          shape,
          (sample, into) -> rows.samples().features().copy(rows.indices().get(sample), into, 0),
          labels);
    } catch (IOException unwritten) {
      throw new UncheckedIOException("cannot write the samples of peer " + peer, unwritten);
    }
  }
}
