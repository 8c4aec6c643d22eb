package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.Locale;

/**
 * Who made each sample: a speaker, a person with a phone, a role in a play, a writer. The names are
 * those of the files, and both parts of a data set share one list of them, so that a number means
 * the same user in both.
 */
public record Users(Ints ofSamples, List<String> names) {
  public Users {
    names = List.copyOf(names);
    for (int i = 0; i < ofSamples.size(); i++) {
      if (ofSamples.get(i) < 0 || ofSamples.get(i) >= names.size()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "sample %d is of user %d, but there are %d",
                i,
                ofSamples.get(i),
                names.size()));
      }
    }
  }

  /** How many users there are, those without a sample here included. */
  public int count() {
    return names.size();
  }

  /** The number of the user who made a sample. */
  public int of(int sample) {
    return ofSamples.get(sample);
  }
}
