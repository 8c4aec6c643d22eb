package io.kindred.core.peer;

import io.kindred.core.compute.Predictor;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import java.util.List;

/** What a peer reports to its observers. Observations never influence the peer that makes them. */
public sealed interface Observation {
  /** The point of its round at which a peer offers a model for evaluation. */
  enum Stage {
    /** After mixing: what the peer would deploy. */
    MIXED,
    /** After local training, before anything is mixed in. */
    TRAINED,
    /** After a last personalization phase, once per run. */
    FINAL
  }

  /** Which peers an observed model is for. */
  enum Audience {
    SELF,
    /** Reported by a server: every peer would deploy this, evaluated on each peer's own data. */
    EVERYONE
  }

  /** The peer (or every peer) would use this predictor now. */
  record Deployed(int round, Stage stage, Predictor predictor, Audience audience)
      implements Observation {
    /** A single model that the peer itself would deploy. */
    public static Deployed of(int round, Stage stage, Weights weights) {
      return new Deployed(round, stage, new Predictor.Single(weights), Audience.SELF);
    }
  }

  /**
   * Reported by a server: what one of its clients would deploy with the newest models, which the
   * client does not receive because it takes no part in the next round.
   */
  record ClientDeployed(PeerId client, Deployed deployed) implements Observation {}

  /** A figure of the peer's round, reported beside its accuracy. */
  record Measured(int round, String name, double value) implements Observation {
    /** How long a peer waited for the answers of a search. */
    public static final String SEARCH_SECONDS = "searchSeconds";

    /** The number of the cluster that a peer is in, or has most of its samples in. */
    public static final String CLUSTER = "cluster";
  }

  /**
   * All models that a peer holds in a round, slot by slot; they show how far peers agree on each
   * slot.
   */
  record ModelsHeld(int round, List<Weights> models) implements Observation {
    public ModelsHeld {
      models = List.copyOf(models);
    }
  }

  /** The cluster that a peer has assigned to each of its training samples. */
  record SamplesClustered(int round, Ints clusters) implements Observation {}

  /**
   * The peers that a similarity search found, the most similar first. An observer with a global
   * view can judge the quality of the search.
   *
   * @param wanted number of peers that the search asked for
   */
  record SearchCompleted(int round, int wanted, List<PeerId> peers) implements Observation {
    public SearchCompleted {
      peers = List.copyOf(peers);
    }
  }

  /** How the weights of a mixture follow from what is known of its models. */
  enum Weighting {
    /** In proportion to the numbers of samples, of the own model too if it is a part. */
    SAMPLES,
    /** Models of other peers count the same; the own model counts as one or more of them. */
    EQUAL,
    /** 1 / (1 + larger number of neighbours of the two peers), and the rest for the own model. */
    DEGREES,
    /** The shares of push-sum: each sender divides its mass among its neighbours and itself. */
    MASS,
    /** From similarities, losses or ages, which only the mixing peer knows. */
    ESTIMATED
  }

  /**
   * The models of other peers that a peer mixes with its own. A peer or a server observes this in
   * the step that asks for the mixture, once for each mixture of received models.
   *
   * @param round the round of the peer that mixes
   * @param slot which of its models results: its cluster or component, 0 where there is one
   * @param ownWeight the share of the peer's own model, or of what a server keeps of its model
   * @param models in the order of the mixture, those with weight zero included
   */
  record ModelsMixed(
      int round, int slot, Weighting weighting, double ownWeight, List<MixedModel> models)
      implements Observation {
    public ModelsMixed {
      models = List.copyOf(models);
    }
  }

  /**
   * One model of another peer.
   *
   * @param round the round in which its owner trained it
   * @param weight its share in the mixed model
   * @param samples number of training samples that its owner reports; zero if it reports none
   */
  record MixedModel(PeerId peer, int round, double weight, int samples, Treatment treatment) {
    /** What a check of the model did to its weight. */
    public enum Treatment {
      FULL,
      SHORTENED,
      DROPPED
    }
  }

  /** A server, which deploys nothing itself, completed a round: a good time to save its state. */
  record RoundCompleted(int round) implements Observation {}

  /** Something countable happened, such as a refused message. */
  record Counted(String name) implements Observation {}

  /**
   * A peer contradicted itself: it sent two statements of which one is false, and honest peers
   * never do so. A shell counts it by its name, and a node counts an offence of that peer.
   *
   * @param peer the peer that sent both statements itself
   */
  record Contradicted(String name, PeerId peer) implements Observation {}

  /**
   * Something happened that an operator should know, such as the loss of a coordinator. A shell
   * counts it by its name, and a node also logs the text.
   */
  record Warned(String name, String text) implements Observation {}
}
