package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;

/** Fashion-MNIST (Xiao et al., 2017): articles of clothing in the original idx files. */
@Named(
    value = "fashion-mnist",
    summary = "articles of clothing, 28x28 grey, 10 classes, 60,000 + 10,000")
public record FashionMnist(
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
    return MnistFamily.read("fashion-mnist", files, samples, testSamples, 0.2860, 0.3530)
        .named(
            "T-shirt",
            "trouser",
            "pullover",
            "dress",
            "coat",
            "sandal",
            "shirt",
            "sneaker",
            "bag",
            "ankle boot");
  }
}
