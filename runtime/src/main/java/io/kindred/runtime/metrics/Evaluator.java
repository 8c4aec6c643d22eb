package io.kindred.runtime.metrics;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.learning.training.EvaluationResult;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.learning.training.Trainer.TestSet;
import io.kindred.protocol.wire.Wire;
import io.kindred.runtime.Workers;
import io.kindred.runtime.Workers.Activity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Scores the predictors that peers deploy, on the workers and outside virtual time. A predictor
 * that was just scored is not scored again: a peer that never mixes deploys the model that it
 * trained, and a server's model goes to every peer.
 */
public final class Evaluator {
  private static final Wire WIRE = new Wire(List.of());

  /** A score, with the digest of the predictor: the cache must not retain a model for each peer. */
  private record CachedScore(Digest predictor, Future<EvaluationResult> score) {}

  private final Workers workers;
  private final PeerDatasets datasets;
  private final @Nullable CachedScore[] ownScores;
  private final @Nullable CachedScore[] globalScores;

  public Evaluator(Workers workers, PeerDatasets datasets) {
    this.workers = workers;
    this.datasets = datasets;
    this.ownScores = new @Nullable CachedScore[datasets.splits().size()];
    this.globalScores = new @Nullable CachedScore[datasets.commonTest().versions().size()];
  }

  /** The score on the peer's own test samples. */
  Future<EvaluationResult> own(PeerId peer, Deployed deployed) {
    int index = (int) peer.number();
    @Nullable CachedScore cachedScore = ownScores[index];
    Digest predictor = digest(deployed);
    if (cachedScore == null || !cachedScore.predictor().equals(predictor)) {
      cachedScore =
          new CachedScore(predictor, submitScoring(peer, deployed.predictor(), TestSet.OWN));
      ownScores[index] = cachedScore;
    }
    return cachedScore.score();
  }

  /** The score on the common test set, in the peer's version of it. */
  Future<EvaluationResult> global(PeerId peer, Deployed deployed) {
    int version = datasets.commonTest().versionOf(peer);
    @Nullable CachedScore cachedScore = globalScores[version];
    boolean personal = deployed.predictor() instanceof Predictor.Adapted;
    Digest predictor = digest(deployed);
    if (cachedScore == null || personal || !cachedScore.predictor().equals(predictor)) {
      cachedScore =
          new CachedScore(predictor, submitScoring(peer, deployed.predictor(), TestSet.COMMON));
      globalScores[version] = cachedScore;
    }
    return cachedScore.score();
  }

  /** Weights enter by their digest. */
  private static Digest digest(Deployed deployed) {
    return Digest.of(WIRE.encode(Predictor.class, deployed.predictor()).bytes());
  }

  /** The success of a back door in the peer's model; empty without a back door. */
  Optional<Future<EvaluationResult>> triggered(PeerId peer, Deployed deployed) {
    return datasets.triggeredRows(peer).count() == 0
        ? Optional.empty()
        : Optional.of(submitScoring(peer, deployed.predictor(), TestSet.TRIGGERED));
  }

  private Future<EvaluationResult> submitScoring(PeerId peer, Predictor predictor, TestSet on) {
    return workers.submit(Activity.EVALUATION, trainer -> trainer.evaluate(peer, predictor, on));
  }
}
