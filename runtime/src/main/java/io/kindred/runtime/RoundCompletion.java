package io.kindred.runtime;

import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.methods.contract.Method;

/**
 * The one rule for when a round of a participant is over. Both shells decide by it which rounds
 * count as finished, when the run ends, and which model is kept.
 *
 * <p>A participant deploys models in the order of stages trained, mixed, final. Every round ends
 * with the same stage, except that a personal phase may follow the last round: then the last round
 * is finished only with the final model.
 *
 * @param lastStage the stage that finishes the last round
 * @param rounds number of rounds of the run
 */
public record RoundCompletion(Stage lastStage, int rounds) {
  /**
   * For the observations of one node. A server mixes. A client of a server that reports for all
   * peers mixes nothing, so its rounds end with training, as its method declares.
   */
  public static RoundCompletion onNode(Method method, int rounds, boolean isServer) {
    return new RoundCompletion(isServer ? Stage.MIXED : method.lastStage(), rounds);
  }

  /**
   * For the observations of a simulator, which hands the server's mixed models to every peer: no
   * round ends with training there.
   */
  public static RoundCompletion inSimulator(Method method, int rounds) {
    Stage last = method.lastStage();
    return new RoundCompletion(last == Stage.TRAINED ? Stage.MIXED : last, rounds);
  }

  /**
   * The stage that every round has once; a personal phase after the last round is not part of it.
   */
  private Stage roundStage() {
    return lastStage == Stage.FINAL ? Stage.MIXED : lastStage;
  }

  /** Whether this is the model of a round: each round of a participant has exactly one. */
  public boolean isRoundModel(Deployed deployed) {
    return deployed.stage() == roundStage();
  }

  /** Whether the round of this model is finished, with the personal phase if one follows. */
  public boolean finishesRound(Deployed deployed) {
    Stage needed = isLastRound(deployed.round()) ? lastStage : roundStage();
    return order(deployed.stage()) >= order(needed);
  }

  /** Whether the participant's last round is finished, and its part of the run with it. */
  public boolean finishesRun(Deployed deployed) {
    return isLastRound(deployed.round()) && finishesRound(deployed);
  }

  /**
   * Whether a participant keeps this model as its result. Before a personal phase the model of the
   * last round is kept too, until the final model replaces it.
   */
  public boolean isModelToKeep(Deployed deployed) {
    return isLastRound(deployed.round()) && order(deployed.stage()) >= order(roundStage());
  }

  /** Whether no round follows this one. */
  public boolean isLastRound(int round) {
    return round >= rounds;
  }

  private static int order(Stage stage) {
    return switch (stage) {
      case TRAINED -> 0;
      case MIXED -> 1;
      case FINAL -> 2;
    };
  }
}
