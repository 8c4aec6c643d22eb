package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Task;
import io.kindred.learning.data.Users;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Two data sets of pictures joined into one (FedSPD, appendix B.2.7: 25,000 samples of CIFAR-10 and
 * as many of MNIST or Fashion-MNIST). The user of a sample is the data set that it comes from,
 * which the partition of the same name uses. Smaller pictures are centred and padded, and grey ones
 * repeated over the channels; the paper specifies neither.
 */
@Named(
    value = "mixture",
    summary = "two data sets of pictures joined, with equally many samples of each")
public record JoinedDatasets(
    @Setting(doc = "the first data set", fallback = "cifar-10") DataSource first,
    @Setting(doc = "the second data set", fallback = "mnist") DataSource second,
    @Setting(
            doc = "samples drawn from each data set; 0 takes as many as the smaller one has",
            fallback = "0",
            min = 0)
        int samples,
    @Setting(
            doc =
                "whether both data sets share the labels from 0, or the second's labels follow"
                    + " the first's",
            fallback = "shared")
        Labels labels)
    implements DataSource {
  /** Whether the labels of the second data set share numbers with the first or follow them. */
  public enum Labels {
    SHARED,
    APART
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    List<Dataset> both = List.of(first.load(streams, files), second.load(streams, files));
    List<Integer> shape = commonShape(both.get(0), both.get(1));
    int shift = labels == Labels.APART ? both.get(0).classes() : 0;
    int classes = Math.max(both.get(0).classes(), shift + both.get(1).classes());
    RandomStream random = streams.stream(Purpose.DATA, 0, Long.MAX_VALUE);
    Samples train =
        join(both, both.stream().map(Dataset::train).toList(), samples, shape, shift, random);
    Samples test = join(both, both.stream().map(Dataset::test).toList(), 0, shape, shift, random);
    String name = both.get(0).name() + " and " + both.get(1).name();
    return new Dataset(name, shape, classes, train, test);
  }

  private static List<Integer> commonShape(Dataset one, Dataset other) {
    boolean pictures = one.shape().size() == 3 && other.shape().size() == 3;
    int least = pictures ? Math.min(one.shape().get(0), other.shape().get(0)) : 0;
    int most = pictures ? Math.max(one.shape().get(0), other.shape().get(0)) : 0;
    boolean scored = one.task() == Task.CLASSIFICATION && other.task() == Task.CLASSIFICATION;
    if (!scored || !pictures || (least != most && least != 1)) {
      throw new SettingException(
          "dataset",
          "samples of "
              + (one.name() + " " + one.shape() + " and of " + other.name() + " " + other.shape())
              + " cannot be joined",
          "choose two data sets of labelled pictures with equally many channels, or one of"
              + " them grey");
    }
    return List.of(
        most,
        Math.max(one.shape().get(1), other.shape().get(1)),
        Math.max(one.shape().get(2), other.shape().get(2)));
  }

  private static Samples join(
      List<Dataset> both,
      List<Samples> parts,
      int asked,
      List<Integer> shape,
      int shift,
      RandomStream random) {
    int fewest = Math.min(parts.get(0).count(), parts.get(1).count());
    if (asked > fewest) {
      throw new SettingException(
          "dataset.samples",
          "there are not " + asked + " samples of each data set, only " + fewest,
          "choose at most " + fewest);
    }
    int each = asked == 0 ? fewest : asked;
    int[] origins = new int[2 * each];
    int[] labels = new int[2 * each];
    int[][] chosen = new int[2][];
    Features[] features = new Features[2];
    for (int part = 0; part < 2; part++) {
      Samples from = parts.get(part);
      chosen[part] = Arrays.copyOf(random.permutation(from.count()), each);
      features[part] = new PaddedFeatures(from.features(), both.get(part).shape(), shape);
      for (int i = 0; i < each; i++) {
        origins[part * each + i] = part;
        labels[part * each + i] = part * shift + from.labels().get(chosen[part][i]);
      }
    }
    List<String> names = both.stream().map(Dataset::name).toList();
    return new Samples(
        new JoinedFeatures(features[0], Ints.wrap(chosen[0]), features[1], Ints.wrap(chosen[1])),
        Ints.wrap(labels),
        Optional.of(new Users(Ints.wrap(origins), names)));
  }

  /** Selected rows of one table, then selected rows of another. */
  private record JoinedFeatures(Features first, Ints firstRows, Features second, Ints secondRows)
      implements Features {
    @Override
    public int count() {
      return firstRows.size() + secondRows.size();
    }

    @Override
    public int width() {
      return first.width();
    }

    @Override
    public void copy(int sample, float[] into, int offset) {
      if (sample < firstRows.size()) {
        first.copy(firstRows.get(sample), into, offset);
      } else {
        second.copy(secondRows.get(sample - firstRows.size()), into, offset);
      }
    }
  }
}
