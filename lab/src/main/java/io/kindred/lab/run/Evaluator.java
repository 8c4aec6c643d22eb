package io.kindred.lab.run;

import io.kindred.core.Observation.Deployed;
import io.kindred.core.PeerId;
import io.kindred.core.work.Predictor;
import io.kindred.learning.training.Holdings;
import io.kindred.learning.training.Score;
import io.kindred.learning.training.Trainer.TestSet;
import io.kindred.simulator.Workers;
import io.kindred.simulator.Workers.Purpose;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Scores what peers deploy, on the workers and off the virtual clock. A predictor that was just
 * scored is not scored again: a peer that never mixes deploys what it trained, and a server's model
 * goes to everybody.
 */
final class Evaluator {
  private record Known(Predictor predictor, Future<Score> score) {}

  private final Workers workers;
  private final Holdings holdings;
  private final @Nullable Known[] ownScores;
  private final @Nullable Known[] globalScores;

  Evaluator(Workers workers, Holdings holdings) {
    this.workers = workers;
    this.holdings = holdings;
    this.ownScores = new @Nullable Known[holdings.peers().size()];
    this.globalScores = new @Nullable Known[holdings.commonTest().versions().size()];
  }

  /** On the peer's own test samples. */
  Future<Score> own(PeerId peer, Deployed deployed) {
    int index = (int) peer.number();
    @Nullable Known known = ownScores[index];
    if (known == null || !known.predictor().equals(deployed.predictor())) {
      known = new Known(deployed.predictor(), submit(peer, deployed.predictor(), TestSet.OWN));
      ownScores[index] = known;
    }
    return known.score();
  }

  /** On the common test set, in the version that the peer is judged on. */
  Future<Score> global(PeerId peer, Deployed deployed) {
    int version = holdings.commonTest().versionOf(peer);
    @Nullable Known known = globalScores[version];
    boolean personal = deployed.predictor() instanceof Predictor.Adapted;
    if (known == null || personal || !known.predictor().equals(deployed.predictor())) {
      known = new Known(deployed.predictor(), submit(peer, deployed.predictor(), TestSet.COMMON));
      globalScores[version] = known;
    }
    return known.score();
  }

  private Future<Score> submit(PeerId peer, Predictor predictor, TestSet on) {
    return workers.submit(Purpose.EVALUATION, trainer -> trainer.score(peer, predictor, on));
  }
}
