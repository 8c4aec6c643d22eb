package io.kindred.experiment.tuning;

import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The outcome of one try under one seed.
 *
 * @param score mean accuracy of the peers on their validation samples in the last round; NaN for a
 *     failed try
 * @param standardError of the score over peers; NaN where there are fewer than two
 * @param run name of the run folder
 * @param failure why there is no score, else empty
 */
public record TryScore(
    Try tried, long seed, double score, double standardError, String run, String failure) {
  static TryScore of(Try tried, long seed, Path folder) throws IOException {
    RunRecord run = new RunReader().read(folder);
    double mean = run.summary().number("accuracy.local.mean");
    double deviation = run.summary().number("accuracy.local.std");
    int peers = run.lastByPeer().size();
    return new TryScore(
        tried,
        seed,
        mean,
        // The deviation in a summary divides by the number of peers, a standard error by one less.
        peers > 1 ? deviation / Math.sqrt(peers - 1) : Double.NaN,
        String.valueOf(folder.getFileName()),
        Double.isNaN(mean) ? "no peer has an accuracy on validation samples" : "");
  }

  static TryScore failed(Try tried, long seed, String run, String failure) {
    return new TryScore(tried, seed, Double.NaN, Double.NaN, run, failure);
  }
}
