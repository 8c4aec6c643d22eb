package io.kindred.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.work.DataView;
import io.kindred.core.work.DataView.Selection;
import io.kindred.core.work.DataView.Split;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Rows;
import io.kindred.learning.engine.Tables;
import io.kindred.learning.partition.Holdout.Parts;
import io.kindred.learning.partition.Variation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldingsTest {
  private static final Samples TRAIN = Tables.randomSamples(1, 10, 2, 3);
  private static final Samples TEST = Tables.randomSamples(2, 4, 2, 3);
  private static final Holdings HOLDINGS =
      new Holdings(
          new Dataset("toy", List.of(2), 3, TRAIN, TEST),
          List.of(
              new Parts(Ints.of(9, 0), Ints.of(3), Ints.of(4)),
              new Parts(Ints.of(7, 5, 1), Ints.of(), Ints.of(2, 6))));
  private static final PeerId FIRST = new PeerId(0);
  private static final PeerId SECOND = new PeerId(1);

  private static void checkRows(PeerId peer, DataView view, int... indices) {
    assertThat(HOLDINGS.rows(peer, view)).isEqualTo(Rows.of(TRAIN, Ints.of(indices)));
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
        SECOND, DataView.own(Split.TRAIN).select(new Selection.Some(Ints.of(2, 0, 2))), 1, 7, 1);
    checkRows(FIRST, DataView.everyone(Split.TRAIN).select(new Selection.Some(Ints.of(4))), 1);
    checkRows(FIRST, DataView.own(Split.TRAIN).select(new Selection.Some(Ints.of())));
  }

  @Test
  void weightsBelongToTheSamplesOfThePart() {
    Floats weights = Floats.of(1, 0, 2.5f);
    DataView view = DataView.own(Split.TRAIN).select(new Selection.Weighted(weights));
    assertThat(HOLDINGS.rows(SECOND, view))
        .isEqualTo(new Rows(TRAIN, Ints.of(7, 5, 1), Optional.of(weights)));
    assertThat(HOLDINGS.count(SECOND, view)).isEqualTo(3);
    assertThatThrownBy(() -> HOLDINGS.rows(FIRST, view))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 samples but 3 sample weights");
  }

  @Test
  void theGlobalTestSetIsTheWholeTestTable() {
    assertThat(HOLDINGS.globalTest(FIRST)).isEqualTo(Rows.of(TEST, Ints.of(0, 1, 2, 3)));
  }

  private static float[] features(Rows rows, int row) {
    float[] values = new float[rows.samples().features().width()];
    rows.samples().features().copy(rows.indices().get(row), values, 0);
    return values;
  }

  /** Two peers in clusters of 0 and 180 degrees, each holding the second sample. */
  @Test
  void variedRowsAreTurnedAndSoIsTheTestSetOfTheirPeer() {
    Variation variation =
        new Variation(
            Ints.of(0, 1, 0, 1),
            Ints.of(0, 0, 2, 2),
            Ints.of(0, 0, 1, 1),
            2,
            List.of(Ints.of(0), Ints.of(2)));
    Parts[] parts = {
      new Parts(Ints.of(1), Ints.of(), Ints.of(0)), new Parts(Ints.of(3), Ints.of(2), Ints.of())
    };
    Samples two = Tables.randomSamples(3, 2, 2, 3);
    Dataset pictures = new Dataset("toy", List.of(1, 1, 2), 3, two, TEST);
    Holdings holdings = Holdings.varied(pictures, List.of(parts), variation);
    Rows upright = holdings.rows(FIRST, DataView.own(Split.TRAIN));
    Rows turned = holdings.rows(SECOND, DataView.own(Split.TRAIN));
    assertThat(features(turned, 0))
        .containsExactly(features(upright, 0)[1], features(upright, 0)[0]);
    assertThat(turned.samples().labels().get(3)).isEqualTo(two.labels().get(1));
    assertThat(holdings.rows(FIRST, DataView.everyone(Split.TRAIN)).indices())
        .isEqualTo(Ints.of(1, 3));
    float[] test = features(holdings.globalTest(FIRST), 2);
    assertThat(features(holdings.globalTest(SECOND), 2)).containsExactly(test[1], test[0]);
    assertThat(holdings.globalTest(SECOND).samples().labels()).isEqualTo(TEST.labels());
    assertThat(holdings.commonTest().versions()).hasSize(2);
    assertThat(holdings.variation()).contains(variation);
  }
}
