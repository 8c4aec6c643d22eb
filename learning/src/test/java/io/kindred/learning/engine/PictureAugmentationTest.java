package io.kindred.learning.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Ticket.Duration.Epochs;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PictureAugmentationTest {
  /** Two channels of five rows and six columns, all pixels different and none 0. */
  private static final PictureAugmentation SMALL = PictureAugmentation.of(List.of(2, 5, 6));

  private static final int SIZE = 60;

  private static float[] picture() {
    float[] picture = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      picture[i] = i + 1;
    }
    return picture;
  }

  /** Every result that padding, cutting and mirroring by the textbook gives, counted from zero. */
  private static SortedMap<String, Integer> textbook() {
    float[] picture = picture();
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (int top = 0; top <= 8; top++) {
      for (int left = 0; left <= 8; left++) {
        float[] cut = new float[SIZE];
        float[] mirrored = new float[SIZE];
        for (int channel = 0; channel < 2; channel++) {
          float[][] padded = new float[5 + 8][6 + 8];
          for (int y = 0; y < 5; y++) {
            System.arraycopy(picture, channel * 30 + y * 6, padded[y + 4], 4, 6);
          }
          for (int y = 0; y < 5; y++) {
            for (int x = 0; x < 6; x++) {
              cut[channel * 30 + y * 6 + x] = padded[y + top][x + left];
              mirrored[channel * 30 + y * 6 + 5 - x] = padded[y + top][x + left];
            }
          }
        }
        counts.put(Arrays.toString(cut), 0);
        counts.put(Arrays.toString(mirrored), 0);
      }
    }
    return counts;
  }

  @Test
  void everyCutAndMirrorImageOccursEquallyOften() {
    SortedMap<String, Integer> counts = textbook();
    assertThat(counts).hasSize(2 * 9 * 9);
    int draws = 162 * 100;
    Batch.InputChange changes = SMALL.draw(draws, LearningFixtures.random(1));
    for (int sample = 0; sample < draws; sample++) {
      float[] values = new float[SIZE + 7];
      System.arraycopy(picture(), 0, values, 7, SIZE);
      changes.apply(sample, values, 7);
      assertThat(Arrays.copyOf(values, 7)).containsOnly(0);
      String result = Arrays.toString(Arrays.copyOfRange(values, 7, 7 + SIZE));
      assertThat(counts).containsKey(result);
      counts.merge(result, 1, Integer::sum);
    }
    // A hundred expected each, with a deviation of ten.
    assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(50, 150));
  }

  @Test
  void samplesThatAreNoPicturesAreRefused() {
    for (List<Integer> shape : List.of(List.of(48), List.of(9, 1, 128), List.of(1, 28, 4))) {
      assertThatThrownBy(() -> PictureAugmentation.of(shape))
          .isInstanceOfSatisfying(
              SettingException.class,
              invalid -> assertThat(invalid.path()).isEqualTo("training.augment"));
    }
  }

  /** Keeps the inputs of every batch. */
  private static final class Recorder implements Engine {
    private final List<float[]> inputs = new ArrayList<>();

    @Override
    public double lossAndGradient(
        float[] weights, Batch batch, float[] gradient, RandomStream noise) {
      for (int sample = 0; sample < batch.size(); sample++) {
        float[] input = new float[SIZE];
        batch.copyFeatures(sample, input, 0);
        inputs.add(input);
      }
      return 0;
    }

    @Override
    public List<float[]> losses(List<Weights> models, SampleRows rows) {
      throw new UnsupportedOperationException("only batches are recorded");
    }

    @Override
    public float[] outputs(Weights weights, SampleRows rows) {
      throw new UnsupportedOperationException("only batches are recorded");
    }
  }

  private static List<float[]> recorded(Optional<PictureAugmentation> augmentation, long stream) {
    Samples samples = LearningFixtures.samples(new float[][] {picture(), picture()}, 0, 0);
    Weights start = Weights.wrap(Layout.builder().add("all", 1).build(), new float[1]);
    Recorder recorder = new Recorder();
    new LocalTraining(recorder, augmentation)
        .train(
            LearningFixtures.ticket(start, new Optimizer(0.1, 0, 0), 1, new Epochs(20)),
            LearningFixtures.all(samples),
            LearningFixtures.random(stream));
    return recorder.inputs;
  }

  @Test
  void everyBatchIsChangedAnewAndOnlyByTheStreamOfTheTraining() {
    assertThat(recorded(Optional.empty(), 1)).hasSize(40).containsOnly(picture());
    List<float[]> changed = recorded(Optional.of(SMALL), 1);
    assertThat(changed.stream().map(Arrays::toString).distinct().count()).isGreaterThan(25);
    assertThat(textbook().keySet()).containsAll(changed.stream().map(Arrays::toString).toList());
    assertThat(recorded(Optional.of(SMALL), 1)).containsExactlyElementsOf(changed);
    assertThat(recorded(Optional.of(SMALL), 2).stream().map(Arrays::toString).toList())
        .isNotEqualTo(changed.stream().map(Arrays::toString).toList());
  }
}
