package io.kindred.runtime.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.SmallExperiment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoisonedSamplesTest {
  private static PeerDatasets datasets(String... assignments) {
    return PeerAssembler.peerDatasets(SmallExperiment.with(assignments), DataFiles.NONE);
  }

  private static List<Integer> labels(PeerDatasets datasets, Ints rows) {
    List<Integer> labels = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      labels.add(datasets.dataset().train().labels().get(rows.get(i)));
    }
    return labels;
  }

  private static float[] features(PeerDatasets datasets, int row) {
    float[] values = new float[datasets.dataset().width()];
    datasets.dataset().train().features().copy(row, values, 0);
    return values;
  }

  @Test
  void flippedLabelsAreThoseOfTheHostilePeersTrainingSamplesOnly() {
    PeerDatasets honest = datasets();
    PeerDatasets poisoned = datasets("adversaries={peers: [2], behaviour: label-flip}");
    int classes = honest.dataset().classes();
    for (int peer : List.of(0, 1, 3)) {
      assertThat(poisoned.splits().get(peer)).isEqualTo(honest.splits().get(peer));
    }
    assertThat(poisoned.splits().get(2).test()).isEqualTo(honest.splits().get(2).test());
    assertThat(labels(poisoned, poisoned.splits().get(2).train()))
        .isEqualTo(
            labels(honest, honest.splits().get(2).train()).stream()
                .map(label -> classes - 1 - label)
                .toList());
    assertThat(features(poisoned, poisoned.splits().get(2).train().get(5)))
        .isEqualTo(features(honest, honest.splits().get(2).train().get(5)));
  }

  @Test
  void sybilsTrainOnTheSamplesOfTheFirstOfThem() {
    PeerDatasets poisoned = datasets("adversaries={peers: [1, 3], behaviour: sybils}");
    Ints first = poisoned.splits().get(1).train();
    Ints second = poisoned.splits().get(3).train();
    assertThat(labels(poisoned, second)).isEqualTo(labels(poisoned, first));
    assertThat(features(poisoned, second.get(0))).isEqualTo(features(poisoned, first.get(0)));
  }

  @Test
  void aBackDoorStampsAShareOfTheTrainingSamplesAndTestsEveryPeer() {
    String backDoor =
        "adversaries={peers: [2], behaviour: {name: back-door, target: 1, share: 0.25, side: 2,"
            + " value: 7}}";
    PeerDatasets honest = datasets();
    PeerDatasets poisoned = datasets(backDoor);
    Ints train = poisoned.splits().get(2).train();
    int stamped = 0;
    for (int i = 0; i < train.size(); i++) {
      float[] values = features(poisoned, train.get(i));
      if (values[values.length - 1] == 7) {
        stamped++;
        assertThat(labels(poisoned, Ints.of(train.get(i)))).containsExactly(1);
      }
    }
    assertThat(stamped).isEqualTo((int) Math.round(0.25 * train.size()));
    for (int peer = 0; peer < 4; peer++) {
      SampleRows rows = poisoned.triggeredRows(new PeerId(peer));
      long others =
          labels(honest, honest.splits().get(peer).test()).stream()
              .filter(label -> label != 1)
              .count();
      assertThat(rows.count()).isEqualTo((int) others);
      for (int row = 0; row < rows.count(); row++) {
        assertThat(rows.label(row)).isEqualTo(1);
        float[] values = features(poisoned, rows.indices().get(row));
        assertThat(values[values.length - 1]).isEqualTo(7f);
      }
    }
    assertThat(honest.triggeredRows(new PeerId(0)).count()).isZero();
  }

  @Test
  void turnedPicturesAreStampedAsTheModelSeesThem() {
    PeerDatasets poisoned =
        datasets(
            "partition={name: rotation-clusters, degrees: [0, 180]}",
            "adversaries={peers: [0, 1, 2], behaviour: {name: back-door, share: 1, value: 7}}");
    for (int peer = 0; peer < 3; peer++) {
      float[] values = features(poisoned, poisoned.splits().get(peer).train().get(0));
      assertThat(values[values.length - 1]).isEqualTo(7f);
      assertThat(poisoned.transformation().orElseThrow().samples().size())
          .isEqualTo(poisoned.dataset().train().count());
    }
  }

  @Test
  void aTargetThatIsNoClassIsRefused() {
    assertThatThrownBy(
            () -> datasets("adversaries={peers: [0], behaviour: {name: back-door, target: 99}}"))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("no class 99");
  }
}
