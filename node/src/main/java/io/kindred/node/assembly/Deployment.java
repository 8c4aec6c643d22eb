package io.kindred.node.assembly;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.learning.model.Model;
import io.kindred.learning.training.EvaluationResult;
import io.kindred.learning.training.Trainer;
import io.kindred.node.NodePlan;
import io.kindred.node.log.NodeLog;
import io.kindred.node.task.DeploymentSettings;
import io.kindred.node.task.ModelStore;
import io.kindred.node.task.OwnDataset;
import io.kindred.node.task.PredictorCard;
import io.kindred.runtime.RoundCompletion;
import io.kindred.storage.OperatorException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes new models of a node into use. A new model replaces the deployed one only if it is about as
 * accurate on the samples that the node holds out; both are evaluated on the same samples, because
 * the owner's data may have changed since the deployed model was made.
 */
final class Deployment {
  private final OwnDataset own;
  private final Model model;
  private final PeerId peer;
  private final NodePlan plan;
  private final RoundCompletion roundCompletion;
  private final ModelStore store;
  private final DeploymentSettings settings;
  private final NodeLog log;
  private final Supplier<Trainer> trainers;
  private @Nullable Trainer trainer;

  Deployment(
      OwnDataset own,
      Model model,
      NodePlan plan,
      ModelStore store,
      DeploymentSettings settings,
      NodeLog log) {
    this.own = own;
    this.model = model;
    this.peer = new PeerId(plan.number());
    this.plan = plan;
    this.roundCompletion = plan.roundCompletion();
    this.store = store;
    this.settings = settings;
    this.log = log;
    this.trainers = plan.computing().trainers();
  }

  /** Whether this model is one that may be deployed. */
  boolean concerns(Observation.Deployed deployed) {
    return roundCompletion.isModelToKeep(deployed)
        || (roundCompletion.isRoundModel(deployed) && settings.offers(deployed.round()));
  }

  /** Writes a model and deploys it, unless the deployed one is better or pinned. */
  void offer(Observation.Deployed deployed) {
    Mixture weights = weights(deployed.predictor());
    EvaluationResult result = evaluate(weights);
    PredictorCard card =
        PredictorCard.of(
            own,
            model,
            new PredictorCard.Origin(
                peer.number(),
                deployed.round(),
                Instant.now().toString(),
                result.samples() == 0 ? Optional.empty() : Optional.of(result.accuracy())),
            weights);
    boolean finite = weights.parts().stream().allMatch(each -> each.weights().isFinite());
    Optional<String> obstacle =
        finite ? obstacle(result) : Optional.of("it has weights that are not numbers");
    if (finite) {
      store.add(card, weights);
    }
    if (obstacle.isPresent()) {
      store.keepDeployed(card, obstacle.get());
      log.withRound(deployed.round())
          .warn(
              "model-kept",
              "the model of round {} is not deployed: {}",
              deployed.round(),
              obstacle.get());
    } else {
      String accuracy = accuracy(result);
      store.deploy(card, accuracy);
      log.withRound(deployed.round())
          .info(
              "model-deployed",
              "the model of round {} is deployed: {}",
              deployed.round(),
              accuracy);
    }
    store.removeOld(settings.keep());
  }

  /** The weights of a predictor; a model that is adapted to the own data is adapted now. */
  private Mixture weights(Predictor predictor) {
    return switch (predictor) {
      case Predictor.Single(var weights) -> Mixture.of(weights);
      case Predictor.Ensemble(Mixture members) -> members;
      case Predictor.Adapted(var adaptation) ->
          Mixture.of(((Result.Trained) trainer().perform(peer, adaptation)).weights());
    };
  }

  private Trainer trainer() {
    Trainer made = trainer;
    if (made == null) {
      made = trainers.get();
      trainer = made;
    }
    return made;
  }

  private EvaluationResult evaluate(Mixture weights) {
    List<MixturePart> parts = weights.parts();
    Predictor predictor =
        parts.size() == 1 && parts.getFirst().coefficient() == 1
            ? new Predictor.Single(parts.getFirst().weights())
            : new Predictor.Ensemble(weights);
    return trainer().evaluate(peer, predictor, Trainer.TestSet.OWN);
  }

  /** Why a new model must not replace the deployed one. */
  private Optional<String> obstacle(EvaluationResult next) {
    Optional<String> pinned = store.pinned();
    if (pinned.isPresent()) {
      return Optional.of("the operator has chosen " + pinned.get());
    }
    Optional<PredictorCard> current = store.deployed();
    if (current.isEmpty() || next.samples() == 0 || !current.get().fits(own, model)) {
      return Optional.empty();
    }
    EvaluationResult before;
    try {
      before = evaluate(store.weights(current.get(), plan.peerFactory().architecture().layout()));
    } catch (OperatorException unreadable) {
      return Optional.empty();
    }
    return next.accuracy() + settings.tolerance() >= before.accuracy()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%s, the deployed %s for %.1f %%",
                accuracy(next),
                current.get().name(),
                100 * before.accuracy()));
  }

  private static String accuracy(EvaluationResult result) {
    return result.samples() == 0
        ? "no samples are held out to check it"
        : String.format(
            Locale.ROOT,
            "right for %.1f %% of %d held-out samples",
            100 * result.accuracy(),
            result.samples());
  }
}
