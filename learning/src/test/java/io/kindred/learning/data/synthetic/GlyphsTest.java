package io.kindred.learning.data.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Setting;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GlyphsTest {
  private static final RandomStreams STREAMS = new RandomStreams(42);

  @Test
  void sameSeedGivesSameBytes() {
    Dataset first = glyphs(200, 10).load(STREAMS, DataFiles.NONE);
    Dataset second = glyphs(200, 10).load(new RandomStreams(42), DataFiles.NONE);
    assertThat(pixels(second.train(), 200)).isDeepEqualTo(pixels(first.train(), 200));
    assertThat(second.train().labels()).isEqualTo(first.train().labels());
    assertThat(pixels(second.test(), 50)).isDeepEqualTo(pixels(first.test(), 50));
  }

  @Test
  void picturesMatchTheRecordedOnes() {
    int hash = 1;
    for (float[] picture : pixels(glyphs(64, 16).load(STREAMS, DataFiles.NONE).train(), 64)) {
      hash = 31 * hash + Arrays.hashCode(picture);
    }
    assertThat(hash)
        .as("changes only when the drawing itself is changed on purpose")
        .isEqualTo(-411413294);
  }

  @Test
  void otherSeedGivesOtherBytes() {
    float[][] one = pixels(glyphs(20, 10).load(STREAMS, DataFiles.NONE).train(), 20);
    float[][] other =
        pixels(glyphs(20, 10).load(new RandomStreams(43), DataFiles.NONE).train(), 20);
    for (int i = 0; i < one.length; i++) {
      assertThat(other[i]).isNotEqualTo(one[i]);
    }
  }

  @Test
  void trainAndTestShareNoPicture() {
    Dataset dataset = glyphs(50, 10).load(STREAMS, DataFiles.NONE);
    float[][] train = pixels(dataset.train(), 50);
    for (float[] picture : pixels(dataset.test(), 50)) {
      assertThat(Arrays.stream(train).noneMatch(other -> Arrays.equals(other, picture))).isTrue();
    }
  }

  @Test
  void moreSamplesLeaveTheEarlierOnesAsTheyWere() {
    Samples few = glyphs(37, 10).load(STREAMS, DataFiles.NONE).train();
    Samples many = glyphs(120, 10).load(STREAMS, DataFiles.NONE).train();
    assertThat(pixels(many, 37)).isDeepEqualTo(pixels(few, 37));
    assertThat(Arrays.copyOf(many.labels().copy(), 37)).isEqualTo(few.labels().copy());
  }

  @Test
  void classesDifferByAtMostOneSample() {
    for (int classes = 2; classes <= 16; classes++) {
      int[] counts = new int[classes];
      for (int label : glyphs(203, classes).load(STREAMS, DataFiles.NONE).train().labels().copy()) {
        counts[label]++;
      }
      Arrays.sort(counts);
      assertThat(counts[classes - 1] - counts[0]).as("%d classes", classes).isBetween(0, 1);
    }
  }

  @Test
  void labelsComeInNoFixedOrder() {
    int[] labels = glyphs(20, 10).load(STREAMS, DataFiles.NONE).train().labels().copy();
    assertThat(Arrays.copyOf(labels, 10)).isNotEqualTo(Arrays.copyOfRange(labels, 10, 20));
  }

  @Test
  void everyTypefaceIsUsed() {
    Map<Typeface, Integer> counts = new EnumMap<>(Typeface.class);
    for (int i = 0; i < 600; i++) {
      counts.merge(glyphs(600, 10).typeface(STREAMS, Glyphs.Role.TRAIN, i), 1, Integer::sum);
    }
    assertThat(counts).hasSize(Typeface.values().length);
    assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(60, 140));
  }

  @Test
  void settingAllowsExactlyTheTypefacesThereAre() {
    for (RecordComponent component : Glyphs.class.getRecordComponents()) {
      if (component.getName().equals("typefaces")) {
        Setting setting = component.getAnnotation(Setting.class);
        assertThat((int) setting.max()).isEqualTo(Typeface.values().length);
      }
    }
  }

  @Test
  void everyCharacterOfEveryTypefaceLeavesInkInsideThePicture() {
    GlyphRenderer glyphRenderer = new GlyphRenderer(0);
    for (Typeface typeface : Typeface.values()) {
      for (int character = 0; character < Alphabets.CHARACTERS; character++) {
        glyphRenderer.draw(typeface, character, STREAMS.stream(Purpose.DATA, 0, 0));
        double inside = 0;
        double border = 0;
        for (int i = 0; i < Canvas.PIXELS; i++) {
          int row = i / Canvas.SIDE;
          int column = i % Canvas.SIDE;
          boolean edge = row == 0 || column == 0 || row == 27 || column == 27;
          inside += glyphRenderer.ink(i);
          border += edge ? glyphRenderer.ink(i) : 0;
        }
        assertThat(inside).as("%s %d", typeface, character).isBetween(25.0, 250.0);
        assertThat(border).as("%s %d", typeface, character).isZero();
      }
    }
  }

  @Test
  void featuresAreCentredAndScaled() {
    double sum = 0;
    double squares = 0;
    for (float[] picture : pixels(glyphs(500, 10).load(STREAMS, DataFiles.NONE).train(), 500)) {
      for (float value : picture) {
        sum += value;
        squares += value * value;
      }
    }
    double mean = sum / (500 * 784);
    assertThat(mean).isBetween(-0.1, 0.1);
    assertThat(squares / (500 * 784) - mean * mean).isBetween(0.8, 1.2);
  }

  @Test
  void threeHundredSamplesAreNotEnoughButThreeThousandTeachALot() {
    Dataset dataset = new Glyphs(3000, 1000, 10, 6, 1, 0.1, 0.2).load(STREAMS, DataFiles.NONE);
    assertThat(softmaxAccuracy(dataset, 300, 30)).isBetween(0.4, 0.85);
    assertThat(softmaxAccuracy(dataset, 3000, 10)).isBetween(0.7, 0.95);
  }

  private static Glyphs glyphs(int samples, int classes) {
    return new Glyphs(samples, 50, classes, 6, 1, 0.1, 0.2);
  }

  private static float[][] pixels(Samples samples, int count) {
    float[][] pictures = new float[count][samples.features().width()];
    for (int i = 0; i < count; i++) {
      samples.features().copy(i, pictures[i], 0);
    }
    return pictures;
  }

  /** Test accuracy of a linear softmax model after plain stochastic gradient descent. */
  private static double softmaxAccuracy(Dataset dataset, int samples, int epochs) {
    float[][] inputs = pixels(dataset.train(), samples);
    float[][] weights = new float[dataset.classes()][dataset.width()];
    for (int epoch = 0; epoch < epochs; epoch++) {
      float rate = 0.003f * (epochs - epoch) / epochs;
      for (int i = 0; i < samples; i++) {
        double[] scores = scores(weights, inputs[i]);
        double largest = Arrays.stream(scores).max().orElseThrow();
        double sum = 0;
        for (int label = 0; label < scores.length; label++) {
          scores[label] = StrictMath.exp(scores[label] - largest);
          sum += scores[label];
        }
        for (int label = 0; label < scores.length; label++) {
          double target = dataset.train().labels().get(i) == label ? 1 : 0;
          float step = (float) (rate * (target - scores[label] / sum));
          for (int j = 0; j < inputs[i].length; j++) {
            weights[label][j] += step * inputs[i][j];
          }
        }
      }
    }
    return accuracy(weights, dataset.test());
  }

  private static double accuracy(float[][] weights, Samples test) {
    float[][] inputs = pixels(test, test.count());
    int right = 0;
    for (int i = 0; i < inputs.length; i++) {
      double[] scores = scores(weights, inputs[i]);
      double largest = Arrays.stream(scores).max().orElseThrow();
      right += scores[test.labels().get(i)] == largest ? 1 : 0;
    }
    return (double) right / inputs.length;
  }

  private static double[] scores(float[][] weights, float[] input) {
    double[] scores = new double[weights.length];
    for (int label = 0; label < weights.length; label++) {
      float sum = 0;
      for (int j = 0; j < input.length; j++) {
        sum += weights[label][j] * input[j];
      }
      scores[label] = sum;
    }
    return scores;
  }
}
