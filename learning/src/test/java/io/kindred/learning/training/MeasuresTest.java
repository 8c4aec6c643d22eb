package io.kindred.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.FeatureScale;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.engine.SampleRows;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Expected values are those of scikit-learn 1.2.1 for the same labels, scores and numbers. */
class MeasuresTest {
  private static final int[] LABELS = {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 0, 1, 2};
  private static final int[] PREDICTED = {0, 0, 0, 1, 2, 0, 1, 0, 2, 2, 0, 0, 2, 3};

  private static SampleRows rows(int... labels) {
    return SampleRows.of(
        new Samples(new FloatFeatures(new float[labels.length], 1), Ints.of(labels)),
        Ints.wrap(IntStream.range(0, labels.length).toArray()));
  }

  private static float[] certain(int classes, int... predicted) {
    float[] probabilities = new float[predicted.length * classes];
    for (int i = 0; i < predicted.length; i++) {
      probabilities[i * classes + predicted[i]] = 1;
    }
    return probabilities;
  }

  @Test
  void classesCountAlikeInBalancedAccuracyAndMacroF1() {
    EvaluationResult result = Measures.classification(certain(4, PREDICTED), rows(LABELS), 4);
    assertThat(result.accuracy()).isCloseTo(0.5714285714285714, within(1e-15));
    assertThat(result.measures().get(Measures.BALANCED_ACCURACY))
        .isCloseTo(0.5158730158730159, within(1e-15));
    // The class 3 has no sample but was predicted, and counts with an F1 of zero.
    assertThat(result.measures().get(Measures.MACRO_F1))
        .isCloseTo(0.4035714285714286, within(1e-15));
    assertThat(result.measures()).doesNotContainKey(Measures.AUC);
  }

  @Test
  void theConfusionMatrixCountsPairsOfTrueAndPredictedClass() {
    ConfusionMatrix matrix = ConfusionMatrix.of(LABELS, PREDICTED);
    int[][] counts = new int[4][4];
    matrix.cells().forEach(cell -> counts[cell.label()][cell.predicted()] = cell.samples());
    assertThat(counts)
        .isDeepEqualTo(new int[][] {{5, 1, 1, 0}, {1, 1, 1, 0}, {1, 0, 2, 1}, {0, 0, 0, 0}});
    ConfusionMatrix twice = ConfusionMatrix.sum(List.of(matrix, matrix));
    assertThat(twice.samples()).isEqualTo(2 * LABELS.length);
    assertThat(twice.balancedAccuracy()).isEqualTo(matrix.balancedAccuracy());
  }

  @Test
  void equalScoresCountHalfInTheAuc() {
    int[] labels = {0, 1, 1, 0, 1, 0, 0, 1, 0};
    double[] scores = {0.1, 0.4, 0.35, 0.8, 0.4, 0.4, 0.2, 0.9, 0.35};
    assertThat(Measures.auc(scores, labels)).isCloseTo(0.725, within(1e-15));
    float[] probabilities = new float[2 * scores.length];
    for (int i = 0; i < scores.length; i++) {
      probabilities[2 * i] = (float) (1 - scores[i]);
      probabilities[2 * i + 1] = (float) scores[i];
    }
    assertThat(Measures.classification(probabilities, rows(labels), 2).measures())
        .containsEntry(Measures.AUC, 0.725);
    assertThat(Measures.classification(certain(2, 1, 1), rows(1, 1), 2).measures())
        .doesNotContainKey(Measures.AUC);
  }

  private static EvaluationResult regression(List<FeatureScale> scales) {
    float[] targets = {3, -0.5f, 2, 7, 4.25f};
    Samples samples = rows(0, 0, 0, 0, 0).samples().withTargets(new FloatFeatures(targets, 1));
    Dataset dataset =
        new Dataset("hand", List.of(1), 1, samples, samples, List.of())
            .read(
                new DataReading(
                    new TaskDescription(
                        List.of(), List.of(), List.of(), List.of(), List.of("y"), scales),
                    5,
                    List.of(),
                    List.of()));
    return Measures.regression(
        new float[] {2.5f, 0, 2, 8, 4}, SampleRows.of(samples, Ints.of(0, 1, 2, 3, 4)), dataset);
  }

  @Test
  void errorsAreInTheUnitOfTheTarget() {
    EvaluationResult plain = regression(List.of());
    assertThat(plain.measures().get(Measures.MAE)).isCloseTo(0.45, within(1e-12));
    assertThat(plain.measures().get(Measures.RMSE)).isCloseTo(0.5590169943749475, within(1e-12));
    EvaluationResult scaled = regression(List.of(new FeatureScale(100, 20)));
    assertThat(scaled.measures().get(Measures.MAE)).isCloseTo(9, within(1e-12));
    assertThat(scaled.measures().get(Measures.RMSE)).isCloseTo(11.18033988749895, within(1e-12));
    // The loss stays in the unit that the model is trained in.
    assertThat(scaled.loss()).isEqualTo(plain.loss());
  }
}
