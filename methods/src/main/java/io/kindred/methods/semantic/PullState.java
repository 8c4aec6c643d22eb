package io.kindred.methods.semantic;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signatures.Signature;
import io.kindred.protocol.signatures.SignatureState;
import java.util.List;
import java.util.Optional;

/**
 * What a peer that pulls models remembers.
 *
 * @param held requests for a round that is not trained yet
 * @param owing whom it asked in vain so far, with the similarity that they were found with
 * @param late models that came after their round was over
 * @param answers how long the last models took
 */
public record PullState(
    int round,
    Phase phase,
    Models models,
    Likeness likeness,
    Hunt hunt,
    List<Held> held,
    List<Candidate> owing,
    List<Pulled> late,
    List<Long> answers) {
  /** What a peer is doing. */
  public enum Phase {
    TRAINING,
    SIGNING,
    SEARCHING,
    PULLING,
    JUDGING,
    MIXING,
    DONE
  }

  /**
   * The own models.
   *
   * @param origin what whole vectors are measured from; empty where it is zero
   * @param from what the round began with
   * @param trained what the last local training made of it, and what others can pull
   * @param round of {@code trained}, 0 before there was one
   */
  public record Models(Optional<Weights> origin, Weights from, Weights trained, int round) {
    Models trained(Weights weights, int inRound) {
      return new Models(origin, from, weights, inRound);
    }
  }

  /**
   * What the peer is known by.
   *
   * @param signed in which round
   * @param least entries that its signature needs
   * @param agreed entries that the network agreed on
   * @param ready whether there is somebody to ask
   */
  public record Likeness(
      Optional<SignatureState> state,
      int signed,
      int least,
      Optional<Integer> agreed,
      boolean ready) {}

  /**
   * One search and what was pulled after it.
   *
   * @param number of the search, and of the alarms that go with it
   * @param asked how often it was asked
   * @param since when models were asked for
   */
  public record Hunt(
      long number, int asked, long since, List<Candidate> found, List<Pulled> pulled) {
    static final Hunt NONE = new Hunt(0, 0, 0, List.of(), List.of());

    public Hunt {
      found = List.copyOf(found);
      pulled = List.copyOf(pulled);
    }
  }

  /** Somebody who waits for the model of a round. */
  public record Held(PeerId from, int round) {}

  /** Somebody's model, of which round it is, and how alike its owner is. */
  public record Pulled(PeerId from, int round, Weights weights, double similarity) {}

  public PullState {
    held = List.copyOf(held);
    owing = List.copyOf(owing);
    late = List.copyOf(late);
    answers = List.copyOf(answers);
  }

  /** The signature that others compare themselves with. */
  public Optional<Signature> signature() {
    return likeness.state().map(SignatureState::signature);
  }

  PullState in(Phase next) {
    return new PullState(round, next, models, likeness, hunt, held, owing, late, answers);
  }

  PullState with(Models newModels, List<Held> stillHeld) {
    return new PullState(round, phase, newModels, likeness, hunt, stillHeld, owing, late, answers);
  }

  PullState with(Likeness newLikeness) {
    return new PullState(round, phase, models, newLikeness, hunt, held, owing, late, answers);
  }

  PullState with(Hunt newHunt) {
    return new PullState(round, phase, models, likeness, newHunt, held, owing, late, answers);
  }

  PullState holding(List<Held> requests) {
    return with(models, requests);
  }

  PullState answered(List<Long> newAnswers) {
    return new PullState(round, phase, models, likeness, hunt, held, owing, late, newAnswers);
  }

  PullState with(List<Candidate> stillOwing, List<Pulled> newLate) {
    return new PullState(round, phase, models, likeness, hunt, held, stillOwing, newLate, answers);
  }

  PullState at(int next, Weights from) {
    return new PullState(
        next,
        Phase.TRAINING,
        new Models(models.origin(), from, models.trained(), models.round()),
        likeness,
        Hunt.NONE,
        held,
        owing,
        late,
        answers);
  }
}
