package io.kindred.studies.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.List;
import org.junit.jupiter.api.Test;

class CosineRetentionTest {
  private static final Layout LAYOUT = Layout.builder().add("weights", 4).build();

  private static Weights model(float... values) {
    return Weights.wrap(LAYOUT, values);
  }

  @Test
  void theShareIsWhatTheLargestEntriesNeedForTheCosine() {
    // Squared entries of the first model are 81, 16, 16, 4 of 117: cosines 0.832, 0.911, 0.983, 1
    // with one to four entries. All entries of the second model are equal: cosines 0.5, 0.707,
    // 0.866, 1.
    CosineRetention cosineRetention =
        CosineRetention.of(
            List.of(model(9, -4, 4, 2), model(3, 3, -3, 3)), SmallOverlays.SIGNATURES);
    assertThat(cosineRetention.text())
        .isEqualTo(
            """
            cosine 0.50: 25.0 % of the entries (25.0 to 25.0)
            cosine 0.80: 50.0 % of the entries (25.0 to 75.0)
            cosine 0.90: 75.0 % of the entries (50.0 to 100.0)
            cosine 0.95: 87.5 % of the entries (75.0 to 100.0)
            """);
  }

  @Test
  void theCurveIsDrawnForTheMeanAndForBothEnds() {
    String svg = CosineRetention.of(List.of(model(9, -4, 4, 2)), SmallOverlays.SIGNATURES).svg();
    assertThat(svg)
        .contains("mean of the models", "entries left out")
        .contains("model that needs least", "model that needs most");
  }
}
