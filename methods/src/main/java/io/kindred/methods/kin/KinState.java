package io.kindred.methods.kin;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.ClaimedRounds;
import io.kindred.methods.discovery.OwnModel;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.methods.kin.GuardModels.GuardedModels;
import io.kindred.methods.kin.KinMessage.ModelReply;
import io.kindred.protocol.overlay.Candidate;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * State of a peer.
 *
 * @param tasks what is left of the round; the first task is being computed, or waits for models
 * @param deferred requests for a round that is not trained yet
 * @param latencies how long the last models took to arrive
 * @param cosines those that the guard computed in the last rounds, each peer once
 */
@Buildable
public record KinState(
    int round,
    List<Task> tasks,
    PeerSearchState search,
    KeptModels models,
    ChoiceState choice,
    PullRound pull,
    List<DeferredRequest> deferred,
    List<Long> latencies,
    List<MeasuredCosine> cosines)
    implements PeerSearchState.Holder {
  /** The round that the asked peers have reached, as far as this peer believes them. */
  int roundOfOthers(int rounds) {
    return ClaimedRounds.reached(pull.claimedRounds(), round, rounds);
  }

  /** A step of a round. */
  public enum Task {
    /** A newcomer compares the models that it pulled, and starts from the best. */
    SELECT_START,
    TRAIN_SHARED,
    /** Sketches or signs the trained shared model; then the pull begins. */
    DESCRIBE,
    /** Moves the personal model towards the shared one. */
    MOVE_PERSONAL,
    TRAIN_PERSONAL,
    TRAIN_ALONE,
    /** Weighs the pulled models; waits until the pull has ended. */
    GUARD,
    MIX,
    /** Takes the pulled model that suits the own samples best, after the peer left its peers. */
    ADOPT,
    FINISH,
    SCORE
  }

  /**
   * A model that a peer trains, with what belongs to it.
   *
   * @param velocity velocity of SGD for the next training; empty is zero
   * @param average running average over rounds; empty before the first round has ended
   * @param rounds number of rounds in the average
   */
  @Buildable
  public record KeptModel(
      Weights weights, Optional<Weights> velocity, Optional<Weights> average, int rounds) {
    static KeptModel of(Weights weights) {
      return new KeptModel(weights, Optional.empty(), Optional.empty(), 0);
    }

    KeptModel trained(Weights next, Optional<Weights> nextVelocity) {
      return KeptModelBuilder.from(this).weights(next).velocity(nextVelocity).build();
    }

    KeptModel averaged(Weights next) {
      return KeptModelBuilder.from(this).average(Optional.of(next)).rounds(rounds + 1).build();
    }
  }

  /**
   * The models of a peer.
   *
   * @param shared the shared model as the round began with it
   * @param personal empty before the personal model begins, and after a choice without it
   * @param alone empty after a choice without it
   */
  @Buildable
  public record KeptModels(
      KeptModel shared, Optional<KeptModel> personal, Optional<KeptModel> alone) {}

  /**
   * What a peer knows about its choice.
   *
   * @param scores running mean of its own scores
   * @param combined mean of its own scores and those of the peers that it pulled
   * @param decisive the scores that decided
   * @param leaving whether the peer has left the peers that it mixed with, and has not adopted a
   *     model of others yet
   */
  @Buildable
  public record ChoiceState(
      Optional<Scores> scores,
      Optional<Scores> combined,
      Optional<Scores> decisive,
      Optional<Choice> choice,
      boolean leaving) {
    /** Whether the peer trains its shared model: until a choice that does without it. */
    boolean trainsShared() {
      return choice.map(Choice::needsShared).orElse(true);
    }

    static ChoiceState of(Optional<Choice> fixed) {
      return new ChoiceState(Optional.empty(), Optional.empty(), Optional.empty(), fixed, false);
    }
  }

  /** Why models are pulled. */
  public enum PullReason {
    /** To mix them after the training of a round. */
    ROUND,
    /** To find out whether the network has begun, and to start from a model of it. */
    JOIN,
    /** To mix them before the training, after rounds that were missed. */
    CATCH_UP
  }

  /**
   * One search and the models pulled after it.
   *
   * @param number number of the timer that ends the pull
   * @param waiting whether peers are being searched or answers are awaited
   * @param requestTick when models were requested
   * @param asked peers that were asked
   * @param answers in the order of their arrival
   * @param guarded how the models will be mixed
   * @param mixed the mixed model
   */
  @Buildable
  public record PullRound(
      long number,
      PullReason reason,
      boolean waiting,
      long requestTick,
      List<PeerId> asked,
      List<Answer> answers,
      Optional<GuardedModels> guarded,
      Optional<Weights> mixed) {
    static final PullRound NONE =
        new PullRound(
            0,
            PullReason.ROUND,
            false,
            0,
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty());

    public PullRound {
      asked = List.copyOf(asked);
      answers = List.copyOf(answers);
    }

    /** The round that half of the pulled models have reached; zero without a model. */
    List<Integer> claimedRounds() {
      return answers.stream()
          .map(Answer::reply)
          .filter(each -> each.weights().isPresent())
          .map(ModelReply::round)
          .toList();
    }

    boolean isAwaiting(PeerId peer) {
      return waiting
          && asked.contains(peer)
          && answers.stream().noneMatch(each -> each.from().equals(peer));
    }
  }

  /** A model reply that arrived in time. */
  public record Answer(PeerId from, ModelReply reply) {}

  /** The cosine of the changes of the own model and of one that was pulled in this round. */
  public record MeasuredCosine(Candidate measured, int round) {}

  /** A peer that waits for the model of a round. */
  public record DeferredRequest(PeerId from, int round) {}

  public KinState {
    tasks = List.copyOf(tasks);
    deferred = List.copyOf(deferred);
    latencies = List.copyOf(latencies);
    cosines = List.copyOf(cosines);
  }

  @Override
  public Optional<PeerSearchState> searchState() {
    return Optional.of(search);
  }

  /** The shared model after its last local training, which other peers can pull. */
  OwnModel trained() {
    return search.model();
  }

  /** The cosines of the guard that are at most so many rounds old. */
  List<Candidate> measuredCosines(int rounds) {
    return cosines.stream()
        .filter(each -> each.round() >= round - rounds)
        .map(MeasuredCosine::measured)
        .toList();
  }

  /** Keeps the cosines of this round, and of so many rounds before. */
  KinState withCosines(List<Contribution> contributions, int rounds) {
    if (rounds == 0) {
      return this;
    }
    SortedMap<PeerId, MeasuredCosine> kept = new TreeMap<>();
    for (MeasuredCosine each : cosines) {
      if (each.round() > round - rounds) {
        kept.put(each.measured().peer(), each);
      }
    }
    for (Contribution each : contributions) {
      if (each.verdict() != Contribution.Verdict.INCOMPARABLE) {
        Candidate measured = new Candidate(each.peer(), (float) each.cosine());
        kept.put(each.peer(), new MeasuredCosine(measured, round));
      }
    }
    return KinStateBuilder.from(this).cosines(List.copyOf(kept.values())).build();
  }

  KinState withSearch(PeerSearchState next) {
    return KinStateBuilder.from(this).search(next).build();
  }

  KinState withTasks(List<Task> next) {
    return KinStateBuilder.from(this).tasks(next).build();
  }

  KinState withModels(KeptModels next) {
    return KinStateBuilder.from(this).models(next).build();
  }

  KinState withPull(PullRound next) {
    return KinStateBuilder.from(this).pull(next).build();
  }

  KinState withChoice(ChoiceState next) {
    return KinStateBuilder.from(this).choice(next).build();
  }

  /** Without the first task, which is done. */
  KinState taskDone() {
    return withTasks(tasks.subList(1, tasks.size()));
  }

  boolean isAt(Task task) {
    return !tasks.isEmpty() && tasks.getFirst() == task;
  }
}
