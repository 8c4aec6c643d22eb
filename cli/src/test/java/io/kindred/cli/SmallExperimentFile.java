package io.kindred.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An experiment file whose run takes a moment. */
public final class SmallExperimentFile {
  static final String TEXT =
      """
      method: dfedavgm
      dataset: {name: glyphs, samples: 240, testSamples: 60}
      model: softmax
      partition: {name: dirichlet, alpha: 0.5, minimum: 20}
      topology: ring
      peers: 4
      rounds: 2
      training: {batch: 16}
      workers: 2
      profiles:
        smoke: {rounds: 1}
      """;

  private SmallExperimentFile() {}

  public static Path in(Path folder) throws IOException {
    return in(folder, "");
  }

  /** Writes the same file with more lines at its end. */
  static Path in(Path folder, String more) throws IOException {
    return Files.writeString(folder.resolve("small.yaml"), TEXT + more);
  }
}
