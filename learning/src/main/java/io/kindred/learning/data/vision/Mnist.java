package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;

/** MNIST (LeCun et al.): handwritten digits in the original idx files. */
@Named(value = "mnist", summary = "handwritten digits, 28x28 grey, 10 classes, 60,000 + 10,000")
public record Mnist(
    @Setting(
            doc = "training samples from the start of the file; 0 takes all",
            fallback = "0",
            min = 0)
        int samples,
    @Setting(doc = "test samples from the start of the file; 0 takes all", fallback = "0", min = 0)
        int testSamples)
    implements DataSource {
  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    return MnistFamily.read("mnist", files, samples, testSamples, 0.1307, 0.3081);
  }
}
