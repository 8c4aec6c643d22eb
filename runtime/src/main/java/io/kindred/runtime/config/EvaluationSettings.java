package io.kindred.runtime.config;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import java.util.List;
import java.util.TreeSet;

/** What is measured, on which data, and how often. None of it can influence what peers do. */
public record EvaluationSettings(
    @Setting(
            doc = "rounds between two evaluations; the last round is always evaluated",
            fallback = "1",
            min = 1)
        int every,
    @Setting(
            doc = "share of each peer's samples that is kept for its own test set",
            fallback = "0.2",
            min = 0,
            max = 0.9)
        double localTest,
    @Setting(
            doc = "share of each peer's samples that is kept for validation",
            fallback = "0",
            min = 0,
            max = 0.9)
        double validation,
    @Setting(
            doc =
                "own samples that a peer's models are evaluated on; validation, to choose settings, and"
                    + " train, to see the progress of training, leave the test samples unused",
            fallback = "test")
        SampleSplit on,
    @Setting(doc = "when models are evaluated on the common test set", fallback = "last")
        GlobalEvaluation global,
    @Setting(
            doc =
                "samples of the common test set that each peer is evaluated on in place of all,"
                    + " with labels as frequent as among the peer's own samples; 0 takes all",
            fallback = "0",
            min = 0)
        int matched,
    @Setting(
            doc = "mean accuracies; the first round that reaches each is reported",
            fallback = "[0.7, 0.8, 0.9]")
        List<Double> targets,
    @Setting(doc = "whether the models of the last round are saved as files", fallback = "true")
        boolean saveModels,
    @Setting(doc = "peers that are evaluated; an empty list means all", fallback = "[]")
        List<Integer> peers) {
  /** When the common test set is used. */
  public enum GlobalEvaluation {
    NEVER,
    /** At the last round only: the common test set is large. */
    LAST,
    ALWAYS
  }

  /** Which of its samples a peer's models are evaluated on. */
  public enum SampleSplit {
    TEST,
    VALIDATION,
    TRAIN
  }

  public EvaluationSettings {
    targets = List.copyOf(targets);
    peers = List.copyOf(peers);
    for (double each : targets) {
      if (!(each > 0 && each <= 1)) {
        throw new SettingException(
            "evaluation.targets",
            "an accuracy of " + each + " cannot be reached",
            "choose numbers above 0 and up to 1");
      }
    }
    if (new TreeSet<>(peers).size() < peers.size()) {
      throw new SettingException(
          "evaluation.peers", "a peer is named twice in " + peers, "name each peer once");
    }
    if (localTest + validation >= 1) {
      throw new SettingException(
          "evaluation.validation",
          "test and validation together take " + (localTest + validation) + " of a peer's samples",
          "choose shares that sum to less than 1, so that some samples are left for training");
    }
    if (on == SampleSplit.VALIDATION && validation == 0) {
      throw new SettingException(
          "evaluation.on",
          "no samples are kept for validation",
          "keep some, for example evaluation.validation: 0.1");
    }
  }

  /** Refuses peers that do not exist. */
  void requireKnownPeers(int all) {
    for (int peer : peers) {
      if (peer < 0 || peer >= all) {
        throw new SettingException(
            "evaluation.peers",
            "there is no peer " + peer + " among " + all,
            "choose from 0 to " + (all - 1));
      }
    }
  }

  /** Whether a peer's models are evaluated. */
  public boolean evaluatesPeer(long peer) {
    return peers.isEmpty() || peers.contains((int) peer);
  }

  /** How many of all peers are evaluated. */
  public int evaluatedCount(int all) {
    return peers.isEmpty() ? all : peers.size();
  }

  /** Whether a round's models are evaluated. */
  public boolean evaluatesRound(int round, int rounds) {
    return round % every == 0 || round >= rounds;
  }

  /** Whether a round's models are evaluated on the common test set. */
  public boolean evaluatesGloballyInRound(int round, int rounds) {
    if (on != SampleSplit.TEST) {
      return false;
    }
    return switch (global) {
      case NEVER -> false;
      case LAST -> round >= rounds;
      case ALWAYS -> evaluatesRound(round, rounds);
    };
  }
}
