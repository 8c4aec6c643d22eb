package io.kindred.cli;

import io.kindred.storage.OperatorException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Target accuracies for which a table shows the cost. */
final class TargetOptions {
  @Option(
      names = "--target",
      paramLabel = "SHARE",
      split = ",",
      description =
          "mean accuracies, such as 0.8; the table shows the rounds and the virtual time until each"
              + " is reached (default: the targets of the file)")
  private List<Double> targets = new ArrayList<>();

  List<Double> targets() {
    for (double target : targets) {
      if (!(target > 0 && target <= 1)) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            "--target must be a number above 0 and at most 1, but is '" + target + "'");
      }
    }
    return List.copyOf(targets);
  }
}
