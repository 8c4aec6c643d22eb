package io.kindred.cli.data;

import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Task;
import java.util.Arrays;
import java.util.Map;

/** An experiment file to start from. */
final class ExperimentDraft {
  private static final int MOST_PEERS = 8;
  private static final int MOST_USERS = 20;
  private static final int LEAST_SAMPLES = 30;

  private ExperimentDraft() {}

  static String of(String path, DataGuess guess, Dataset dataset) {
    StringBuilder out = new StringBuilder();
    out.append("# Written by: kindred data check ").append(path).append('\n');
    out.append("method: {name: fedavg, fineTune: 1}\ndataset:\n");
    for (Map.Entry<String, String> each : guess.settings().entrySet()) {
      out.append("  ").append(each.getKey()).append(": ").append(each.getValue()).append('\n');
    }
    boolean pictures = dataset.shape().size() == 3;
    boolean regression = dataset.task() == Task.REGRESSION;
    int users = dataset.train().users().map(each -> (int) usersWithSamples(dataset)).orElse(0);
    int most = Math.max(2, dataset.train().count() / LEAST_SAMPLES);
    boolean few = dataset.train().count() < 2 * LEAST_SAMPLES;
    int peers = Math.min(most, users > 1 ? Math.min(MOST_USERS, users) : MOST_PEERS);
    out.append("model: ").append(pictures ? "small-cnn" : "{name: mlp, hidden: [32]}").append('\n');
    out.append("partition: ")
        .append(users > 1 ? "by-user" : few ? "iid" : "{name: dirichlet, alpha: 0.5}")
        .append('\n');
    out.append("peers: ")
        .append(peers)
        .append(
            users > peers ? " # for " + users + " users; each peer has the samples of some" : "")
        .append('\n');
    out.append("rounds: 15\n");
    out.append("training: {epochs: 1, batch: 16, learningRate: ")
        .append(regression ? "0.01" : "0.05")
        .append("}\n");
    return out.toString();
  }

  private static long usersWithSamples(Dataset dataset) {
    return Arrays.stream(dataset.train().users().orElseThrow().bySample().copy())
        .distinct()
        .count();
  }
}
