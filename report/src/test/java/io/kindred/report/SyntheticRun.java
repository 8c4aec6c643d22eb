package io.kindred.report;

import io.kindred.report.plot.Distribution;
import io.kindred.report.table.Spread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/** Writes a synthetic run folder in the documented format, for tests that need a complete run. */
public record SyntheticRun(
    String method, int seed, int peers, int rounds, double ceiling, double speed, long roundBytes) {

  /** A finished run. */
  public Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("config.yaml"), config(), StandardCharsets.UTF_8);
    StringBuilder metrics = new StringBuilder();
    StringBuilder table =
        new StringBuilder(
            "round,stage,mean,std,p10,best,worst,globalMean,modelBytes,controlBytes,recallAtK,"
                + "virtualSeconds\n");
    double[] last = new double[peers];
    for (int round = 1; round <= rounds; round++) {
      for (String stage : new String[] {"mixed", "trained"}) {
        double[] values = accuracies(round, stage.equals("trained") ? 0.015 : 0);
        for (int peer = 0; peer < peers; peer++) {
          metrics.append(line(round, peer, stage, values[peer]));
        }
        table.append(row(round, stage, values));
        last = stage.equals("mixed") ? values : last;
      }
    }
    Files.writeString(folder.resolve("metrics.jsonl"), metrics, StandardCharsets.UTF_8);
    Files.writeString(folder.resolve("rounds.csv"), table, StandardCharsets.UTF_8);
    Files.writeString(folder.resolve("summary.json"), summary(last), StandardCharsets.UTF_8);
    return folder;
  }

  private String config() {
    return """
        method:
          name: %s
        dataset: digits
        model: small-convolution
        partition:
          name: dirichlet
          alpha: 0.1
        topology: overlay
        peers: %d
        rounds: %d
        seed: %d
        training:
          optimizer: sgd
          batch: 32
          learningRate: 0.01
        """
        .formatted(method, peers, rounds, seed);
  }

  private double[] accuracies(int round, double lift) {
    SplittableRandom person = new SplittableRandom(99);
    SplittableRandom noise = new SplittableRandom(seed * 1000L + round);
    double[] values = new double[peers];
    for (int peer = 0; peer < peers; peer++) {
      double talent = 0.16 * (person.nextDouble() + person.nextDouble() - 1);
      double taste = method.equals("local") ? 0 : 0.14 * (noiseOf(peer) - 0.5);
      double reached = (ceiling + talent + taste) * (1 - Math.exp(-speed * round));
      values[peer] = Math.clamp(reached + lift + 0.02 * (noise.nextDouble() - 0.5), 0.02, 0.995);
    }
    return values;
  }

  private double noiseOf(int peer) {
    return new SplittableRandom(method.length() * 31L + peer * 7919L + seed).nextDouble();
  }

  private static String line(int round, int peer, String stage, double accuracy) {
    return String.format(
        Locale.ROOT,
        "{\"round\":%d,\"peer\":%d,\"stage\":\"%s\",\"loss\":%.4f,\"accuracy\":%.4f,"
            + "\"samples\":120,\"pulled\":[1,2],\"extra\":{\"a\":{\"b\":1}}}%n",
        round,
        peer,
        stage,
        -Math.log(accuracy),
        accuracy);
  }

  private String row(int round, String stage, double[] values) {
    Spread spread = Spread.overPeers(values);
    return String.format(
        Locale.ROOT,
        "%d,%s,%.5f,%.5f,%.5f,%.5f,%.5f,,%d,%d,,%.1f%n",
        round,
        stage,
        spread.mean(),
        spread.std(),
        quantile(values, 0.1),
        quantile(values, 1),
        quantile(values, 0),
        round * roundBytes * peers,
        roundBytes == 0 ? 0 : round * 900L * peers,
        round * 3.5);
  }

  private String summary(double[] last) {
    Spread spread = Spread.overPeers(last);
    return String.format(
        Locale.ROOT,
        """
        {"schemaVersion":1,"method":"%s","dataset":"digits","model":"small-convolution",
         "partition":"dirichlet(0.1)","peers":%d,"rounds":%d,"seed":%d,"traceHash":"c0ffee%02d",
         "wallSeconds":%.1f,
         "accuracy":{"local":{"mean":%.5f,"std":%.5f,"p10":%.5f,"afterTraining":%.5f}},
         %s
         "traffic":{"modelBytes":%d,"controlBytes":%d},
         "time":{"training":%.2f,"evaluation":6.1,"mixing":%.2f,"overlay":%.2f,"other":0.8}}
        """,
        method,
        peers,
        rounds,
        seed,
        seed,
        31.0 + seed,
        spread.mean(),
        spread.std(),
        quantile(last, 0.1),
        spread.mean() + 0.015,
        spread.mean() > 0.7 ? "\"roundsToTarget\":{\"0.70\":" + (8 + seed) + "}," : "",
        rounds * roundBytes * peers,
        rounds * 900L * peers,
        44.0 + seed,
        roundBytes == 0 ? 0.0 : 5.5,
        method.length() > 7 ? 3.2 : 0.0);
  }

  private static double quantile(double[] values, double share) {
    return Distribution.quantile(values, share);
  }
}
