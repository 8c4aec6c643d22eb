package io.kindred.learning.data.own;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Features;
import java.util.List;
import java.util.Optional;

/**
 * Samples of one owner in the numbers of a task.
 *
 * @param names what the owner calls each sample: a line of a file, or the name of a file
 * @param labels class numbers of the task; −1 for a sample without a known class
 * @param findings what the data lack for the task, or have beyond it
 */
public record OwnSamples(
    List<String> names, Features features, Ints labels, List<OwnFinding> findings) {
  public OwnSamples {
    names = List.copyOf(names);
    findings = List.copyOf(findings);
  }

  /** The first finding that makes the data unusable, if there is one. */
  public Optional<OwnFinding> obstacle() {
    return findings.stream().filter(each -> each.level() == OwnFinding.Level.FIX).findFirst();
  }

  /** How many samples each class of the task has. */
  public int[] classCounts(int classes) {
    int[] counts = new int[classes];
    for (int i = 0; i < labels.size(); i++) {
      if (labels.get(i) >= 0) {
        counts[labels.get(i)]++;
      }
    }
    return counts;
  }
}
