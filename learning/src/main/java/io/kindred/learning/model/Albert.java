package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Features;

/**
 * ALBERT (Lan et al., 2020) with a classification layer, which SemanticDFL (section 5.1) trains on
 * 20 Newsgroups. The defaults are the base size, version 2: an encoder of 11,683,584 weights, named
 * as in the files of Hugging Face so that pre-trained ones fit. Samples are token ids, with zero
 * for padding; every size can be reduced.
 */
@Named(value = "albert", summary = "text encoder with shared layers, on token ids")
public record Albert(
    @Setting(doc = "size of the vocabulary, in tokens", fallback = "30000", min = 2) int vocabulary,
    @Setting(doc = "largest number of tokens of a text", fallback = "512", min = 1) int positions,
    @Setting(doc = "size of a token's embedding", fallback = "128", min = 1) int embedding,
    @Setting(doc = "size of a token's state", fallback = "768", min = 1) int hidden,
    @Setting(
            doc = "size of the hidden layer between the two dense layers",
            fallback = "3072",
            min = 1)
        int intermediate,
    @Setting(doc = "attention heads", fallback = "12", min = 1) int heads,
    @Setting(doc = "number of times that the shared layer is applied", fallback = "12", min = 1)
        int depth,
    @Setting(
            doc = "share of values dropped before the last layer",
            fallback = "0.1",
            min = 0,
            max = 0.95)
        double dropout)
    implements Model {
  private static final int CHECKED_SAMPLES = 100;

  public Albert {
    if (hidden % heads != 0) {
      throw new SettingException(
          "heads",
          hidden + " values cannot be split among " + heads + " heads",
          "choose a number of heads that divides hidden");
    }
  }

  @Override
  public Architecture sizedFor(Dataset dataset) {
    requireTokens(dataset);
    if (dataset.width() > positions) {
      throw new SettingException(
          "model.positions",
          dataset.name() + " has texts of " + dataset.width() + " tokens",
          "set it to " + dataset.width() + ", or let the data set shorten its texts");
    }
    return ArchitectureBuilder.forFeatures("albert", dataset)
        .encoder(
            new LayerShape.Encoder(
                "albert",
                dataset.width(),
                vocabulary,
                positions,
                embedding,
                hidden,
                intermediate,
                heads,
                depth))
        .dropout(dropout)
        .buildWithOutput("classifier");
  }

  /**
   * Checks the first samples: values other than integers below the vocabulary size are no token
   * ids.
   */
  private void requireTokens(Dataset dataset) {
    Features features = dataset.train().features();
    float[] row = new float[features.width()];
    for (int sample = 0; sample < Math.min(CHECKED_SAMPLES, features.count()); sample++) {
      features.copy(sample, row, 0);
      for (float value : row) {
        if (!(value >= 0 && value < vocabulary && value == Math.rint(value))) {
          throw new SettingException(
              "model",
              "albert takes token ids below "
                  + vocabulary
                  + (", but sample " + sample + " of " + dataset.name())
                  + (" has the value " + value),
              "choose a data set of token ids, or a vocabulary as large as the data set's");
        }
      }
    }
  }
}
