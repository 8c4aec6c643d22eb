package io.kindred.learning.data.synthetic;

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
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Users;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Linear regressions with planted parameters (IFCA, Ghosh et al., 2020, section 6.1): every cluster
 * has a parameter vector theta whose coordinates are 0 or 1 with probability one half, scaled to a
 * norm; a sample of the cluster has standard normal inputs and the product of inputs and theta as
 * target, plus Gaussian noise. The cluster of a sample is its label and its user. Vectors that are
 * zero or equal to an earlier one are drawn again, because no method could tell such clusters
 * apart.
 *
 * <p>Inputs are independent with variance one, so the expected squared error of a linear model is
 * the squared noise plus the squared distance of its parameters (and of its bias, from zero) to the
 * planted ones: the test loss measures this distance.
 */
@Named(
    value = "linear-clusters",
    summary = "linear regressions with one planted parameter vector per cluster, no download")
public record LinearClusters(
    @Setting(
            doc = "training samples of all clusters, divided among the peers",
            fallback = "10000",
            min = 1,
            max = MAX_SAMPLES)
        int samples,
    @Setting(doc = "samples of the common test set", fallback = "2000", min = 1, max = MAX_SAMPLES)
        int testSamples,
    @Setting(
            doc = "clusters, each with its own parameters",
            fallback = "2",
            min = 1,
            max = MAX_CLUSTERS)
        int clusters,
    @Setting(doc = "inputs of a sample", fallback = "100", min = 1, max = 100_000) int dimension,
    @Setting(
            doc = "norm of a cluster's parameters, which sets how far clusters are apart",
            fallback = "1",
            above = 0)
        double scale,
    @Setting(doc = "standard deviation of the noise of a target", fallback = "0.001", min = 0)
        double noise)
    implements DataSource {
  static final int MAX_SAMPLES = 5_000_000;
  static final int MAX_CLUSTERS = 1000;
  private static final int PARAMETERS = 2;

  public LinearClusters {
    if (dimension < Integer.SIZE - 1 && clusters > (1 << dimension) - 1) {
      throw new SettingException(
          "dataset.clusters",
          dimension + " inputs have fewer than " + clusters + " different parameter vectors",
          "choose at most " + ((1 << dimension) - 1) + " clusters, or more inputs");
    }
    long largest = (long) Math.max(samples, testSamples) * dimension;
    if (largest > Integer.MAX_VALUE - Long.BYTES) {
      throw new SettingException(
          "dataset.samples",
          largest + " inputs do not fit into one array",
          "choose fewer samples or fewer inputs");
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    List<double[]> planted = parameters(streams);
    return new Dataset(
        "linear-clusters",
        List.of(dimension),
        clusters,
        draw(streams, planted, samples, 0),
        draw(streams, planted, testSamples, 1));
  }

  /** The planted parameters of each cluster. */
  List<double[]> parameters(RandomStreams streams) {
    RandomStream random = streams.stream(Purpose.DATA, 0, PARAMETERS);
    List<double[]> planted = new ArrayList<>();
    while (planted.size() < clusters) {
      double[] coordinates = new double[dimension];
      int ones = 0;
      for (int i = 0; i < dimension; i++) {
        coordinates[i] = random.nextInt(2);
        ones += (int) coordinates[i];
      }
      if (ones > 0) {
        double factor = scale / Math.sqrt(ones);
        double[] theta = Arrays.stream(coordinates).map(each -> each * factor).toArray();
        if (planted.stream().noneMatch(earlier -> Arrays.equals(earlier, theta))) {
          planted.add(theta);
        }
      }
    }
    return planted;
  }

  private Samples draw(RandomStreams streams, List<double[]> planted, int count, int part) {
    float[] inputs = new float[count * dimension];
    float[] targets = new float[count];
    int[] clusterOf = new int[count];
    for (int i = 0; i < count; i++) {
      RandomStream random = streams.stream(Purpose.DATA, i, part);
      clusterOf[i] = i % clusters;
      double[] theta = planted.get(clusterOf[i]);
      double target = 0;
      for (int j = 0; j < dimension; j++) {
        float input = (float) random.nextGaussian();
        inputs[i * dimension + j] = input;
        target += input * theta[j];
      }
      targets[i] = (float) (target + noise * random.nextGaussian());
    }
    List<String> names = IntStream.range(0, clusters).mapToObj(each -> "cluster " + each).toList();
    Ints labels = Ints.wrap(clusterOf);
    return new Samples(
        new FloatFeatures(inputs, dimension),
        labels,
        Optional.of(new Users(labels, names)),
        Optional.of(new FloatFeatures(targets, 1)));
  }
}
