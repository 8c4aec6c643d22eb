package io.kindred.node.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.DataView;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.task.NetworkTask;
import io.kindred.node.task.TaskFile;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.Origin;
import io.kindred.storage.disk.DataFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetDataTest {
  @TempDir private Path home;

  @SuppressWarnings("NullAway.Init") // the field is set before each test
  FleetDataTest() {}

  private static Experiment experiment(String more) {
    return ExperimentFile.of(
            ConfigFile.parse(
                "small", "{method: local, model: softmax, peers: 3, seed: 5, " + more + "}"),
            Optional.empty(),
            List.of())
        .experiment();
  }

  private PeerFactory ofNode(FleetData data, int peer) {
    data.write(home, peer);
    NetworkTask task = TaskFile.parse("fleet.task.yaml", TaskFile.text(data.task()));
    return PeerAssembler.peerFactory(
        TaskFile.experiment(
            task,
            Optional.of(
                ConfigFile.value(
                    "{name: safetensors, file: " + FleetData.FILE + "}", Origin.named("made"))),
            peer),
        new DataFolder(Optional.of(home)));
  }

  private static List<List<Float>> rows(PeerDatasets datasets, int peer, DataView.Split split) {
    SampleRows rows = datasets.rows(new PeerId(peer), DataView.own(split));
    float[] values = new float[datasets.dataset().width()];
    List<List<Float>> all = new ArrayList<>();
    for (int i = 0; i < rows.count(); i++) {
      rows.samples().features().copy(rows.indices().get(i), values, 0);
      List<Float> row = new ArrayList<>(List.of((float) rows.label(i)));
      for (float each : values) {
        row.add(each);
      }
      all.add(row);
    }
    return all;
  }

  private void assertSameSamples(Experiment experiment) {
    PeerFactory simulated = PeerAssembler.peerFactory(experiment, DataFiles.NONE);
    FleetData data = FleetData.of(experiment, DataFiles.NONE);
    for (int peer = 0; peer < 3; peer++) {
      PeerFactory node = ofNode(data, peer);
      for (DataView.Split split : DataView.Split.values()) {
        assertThat(rows(node.datasets(), peer, split))
            .as("peer %d, %s", peer, split)
            .isEqualTo(rows(simulated.datasets(), peer, split));
      }
      assertThat(node.commonInitialWeights()).isEqualTo(simulated.commonInitialWeights());
    }
  }

  @Test
  void aNodeTrainsAndTestsOnTheSamplesOfThePeerInASimulation() {
    assertSameSamples(
        experiment(
            "dataset: {name: glyphs, samples: 90, testSamples: 20}, partition: {name: dirichlet,"
                + " alpha: 0.5, minimum: 5}, evaluation: {localTest: 0.25, validation: 0.1}"));
  }

  @Test
  void transformedSamplesAreWrittenAsAPeerSeesThem() {
    assertSameSamples(
        experiment(
            "dataset: {name: glyphs, samples: 90, testSamples: 20}, partition: {name:"
                + " rotation-clusters, degrees: [0, 90]}"));
  }

  @Test
  void weightsThatANodeCannotStartFromAreRefused() {
    Experiment started =
        experiment(
            "dataset: {name: glyphs, samples: 90, testSamples: 20}, start: some.safetensors");
    assertThatThrownBy(() -> FleetData.of(started, DataFiles.NONE))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("start");
  }
}
