package io.kindred.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Selection;
import io.kindred.core.compute.DataView.Split;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.SamplesBuilder;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.partition.SampleTransformation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PeerDatasetsTest {
  private static final Samples TRAIN = LearningFixtures.randomSamples(1, 10, 2, 3);
  private static final Samples TEST = LearningFixtures.randomSamples(2, 4, 2, 3);
  private static final PeerDatasets HOLDINGS =
      new PeerDatasets(
          new Dataset("toy", List.of(2), 3, TRAIN, TEST),
          List.of(
              new PeerSplit(Ints.of(9, 0), Ints.of(3), Ints.of(4)),
              new PeerSplit(Ints.of(7, 5, 1), Ints.of(), Ints.of(2, 6))));
  private static final PeerId FIRST = new PeerId(0);
  private static final PeerId SECOND = new PeerId(1);

  private static void checkRows(PeerId peer, DataView view, int... indices) {
    assertThat(HOLDINGS.rows(peer, view)).isEqualTo(SampleRows.of(TRAIN, Ints.of(indices)));
    assertThat(HOLDINGS.count(peer, view)).isEqualTo(indices.length);
  }

  @Test
  void anOwnViewHasThePeersPartInItsOrder() {
    checkRows(FIRST, DataView.own(Split.TRAIN), 9, 0);
    checkRows(SECOND, DataView.own(Split.TRAIN), 7, 5, 1);
    checkRows(SECOND, DataView.own(Split.VALIDATION));
    checkRows(SECOND, DataView.own(Split.TEST), 2, 6);
  }

  @Test
  void theViewOfEveryoneGoesPeerByPeer() {
    checkRows(FIRST, DataView.everyone(Split.TRAIN), 9, 0, 7, 5, 1);
    checkRows(new PeerId(99), DataView.everyone(Split.VALIDATION), 3);
    checkRows(SECOND, DataView.everyone(Split.TEST), 4, 2, 6);
  }

  @Test
  void someAreChosenByTheirPlaceInThePart() {
    checkRows(
        SECOND, DataView.own(Split.TRAIN).select(new Selection.Subset(Ints.of(2, 0, 2))), 1, 7, 1);
    checkRows(FIRST, DataView.everyone(Split.TRAIN).select(new Selection.Subset(Ints.of(4))), 1);
    checkRows(FIRST, DataView.own(Split.TRAIN).select(new Selection.Subset(Ints.of())));
  }

  @Test
  void weightsBelongToTheSamplesOfThePart() {
    Floats weights = Floats.of(1, 0, 2.5f);
    DataView view = DataView.own(Split.TRAIN).select(new Selection.Weighted(weights));
    assertThat(HOLDINGS.rows(SECOND, view))
        .isEqualTo(new SampleRows(TRAIN, Ints.of(7, 5, 1), Optional.of(weights)));
    assertThat(HOLDINGS.count(SECOND, view)).isEqualTo(3);
    assertThatThrownBy(() -> HOLDINGS.rows(FIRST, view))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 samples but 3 sample weights");
  }

  @Test
  void theGlobalTestSetIsTheWholeTestTable() {
    assertThat(HOLDINGS.commonTestRows(FIRST)).isEqualTo(SampleRows.of(TEST, Ints.of(0, 1, 2, 3)));
  }

  private static float[] features(SampleRows rows, int row) {
    float[] values = new float[rows.samples().features().width()];
    rows.samples().features().copy(rows.indices().get(row), values, 0);
    return values;
  }

  /** Two peers in clusters of 0 and 180 degrees, each holding the second sample. */
  @Test
  void variedRowsAreTurnedAndSoIsTheTestSetOfTheirPeer() {
    SampleTransformation transformation =
        new SampleTransformation(
            Ints.of(0, 1, 0, 1),
            Ints.of(0, 0, 2, 2),
            Ints.of(0, 0, 1, 1),
            2,
            List.of(Ints.of(0), Ints.of(2)));
    PeerSplit[] split = {
      new PeerSplit(Ints.of(1), Ints.of(), Ints.of(0)),
      new PeerSplit(Ints.of(3), Ints.of(2), Ints.of())
    };
    Samples two = LearningFixtures.randomSamples(3, 2, 2, 3);
    Dataset pictures = new Dataset("toy", List.of(1, 1, 2), 3, two, TEST);
    PeerDatasets datasets = PeerDatasets.transformed(pictures, List.of(split), transformation);
    SampleRows upright = datasets.rows(FIRST, DataView.own(Split.TRAIN));
    SampleRows rotated = datasets.rows(SECOND, DataView.own(Split.TRAIN));
    assertThat(features(rotated, 0))
        .containsExactly(features(upright, 0)[1], features(upright, 0)[0]);
    assertThat(rotated.samples().labels().get(3)).isEqualTo(two.labels().get(1));
    assertThat(datasets.rows(FIRST, DataView.everyone(Split.TRAIN)).indices())
        .isEqualTo(Ints.of(1, 3));
    float[] test = features(datasets.commonTestRows(FIRST), 2);
    assertThat(features(datasets.commonTestRows(SECOND), 2)).containsExactly(test[1], test[0]);
    assertThat(datasets.commonTestRows(SECOND).samples().labels()).isEqualTo(TEST.labels());
    assertThat(datasets.commonTest().versions()).hasSize(2);
    assertThat(datasets.transformation()).contains(transformation);
  }

  @Test
  void aMatchingTestSetHasTheLabelsOfThePeersSamples() {
    // Labels of the training samples: 0 for the first 30, then 1 for 10, then 2 for 10.
    int[] labels = new int[50];
    Arrays.fill(labels, 30, 40, 1);
    Arrays.fill(labels, 40, 50, 2);
    int[] testLabels = new int[60];
    Arrays.fill(testLabels, 20, 40, 1);
    Arrays.fill(testLabels, 40, 60, 2);
    Dataset dataset = new Dataset("toy", List.of(2), 3, labelled(labels), labelled(testLabels));
    // The first peer has three of label 0 for each of label 1, over all its parts.
    PeerSplit mixed = new PeerSplit(Ints.of(0, 1, 30), Ints.of(2, 3, 31), Ints.of(4, 5));
    PeerSplit twos = new PeerSplit(Ints.of(40, 41), Ints.of(), Ints.of(42));
    PeerDatasets matched =
        new PeerDatasets(dataset, List.of(mixed, twos)).withMatchingTest(16, new RandomStreams(5));
    assertThat(labelsOf(matched, 0)).containsExactly(12, 4, 0);
    assertThat(labelsOf(matched, 1)).containsExactly(0, 0, 16);
    // Only 20 test samples have label 0, so 80 cannot be had: 20 and 7 instead of 60 and 20.
    PeerDatasets scarce =
        new PeerDatasets(dataset, List.of(mixed, twos)).withMatchingTest(80, new RandomStreams(5));
    assertThat(labelsOf(scarce, 0)).containsExactly(20, 7, 0);
    assertThat(scarce.commonTestRows(FIRST)).isNotEqualTo(matched.commonTestRows(FIRST));
  }

  private static Samples labelled(int... labels) {
    return SamplesBuilder.from(LearningFixtures.randomSamples(3, labels.length, 2, 3))
        .labels(Ints.of(labels))
        .build();
  }

  private static int[] labelsOf(PeerDatasets datasets, int peer) {
    int[] counts = new int[3];
    SampleRows rows = datasets.commonTestRows(new PeerId(peer));
    for (int row = 0; row < rows.count(); row++) {
      counts[rows.label(row)]++;
    }
    return counts;
  }
}
