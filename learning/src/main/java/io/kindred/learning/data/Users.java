package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.Collections;
import java.util.List;

/**
 * The user of each sample: a speaker, a person with a phone, a role in a play, a writer. The names
 * are those of the files. Both parts of a data set share one list of names, so that a user has the
 * same number in both.
 */
public record Users(Ints bySample, List<String> names) {
  public Users {
    names = List.copyOf(names);
    for (int i = 0; i < bySample.size(); i++) {
      if (bySample.get(i) < 0 || bySample.get(i) >= names.size()) {
        throw new IllegalArgumentException(
            "sample "
                + i
                + " belongs to user "
                + bySample.get(i)
                + ", but there are "
                + names.size());
      }
    }
  }

  /** Numbers users by their position in the sorted list of all names. */
  public static Users of(List<String> ofSamples, List<String> sortedNames) {
    int[] numbers = new int[ofSamples.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Collections.binarySearch(sortedNames, ofSamples.get(i));
    }
    return new Users(Ints.wrap(numbers), sortedNames);
  }

  /** The number of users, including users without a sample in this part. */
  public int count() {
    return names.size();
  }

  /** The number of a sample's user. */
  public int of(int sample) {
    return bySample.get(sample);
  }
}
