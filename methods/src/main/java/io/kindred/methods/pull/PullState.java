package io.kindred.methods.pull;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureState;
import java.util.List;
import java.util.Optional;

/**
 * What a peer that pulls models remembers.
 *
 * @param deferred requests for a round that is not trained yet
 * @param outstanding whom it asked in vain so far, with the similarity that they were found with
 * @param lateModels models that came after their round was over
 * @param latencies how long the last models took
 */
public record PullState(
    int round,
    Phase phase,
    Models models,
    SignatureInfo signatureInfo,
    PullAttempt pullAttempt,
    List<DeferredRequest> deferred,
    List<Candidate> outstanding,
    List<ReceivedModel> lateModels,
    List<Long> latencies) {
  /** What a peer is doing. */
  public enum Phase {
    TRAINING,
    SIGNING,
    SEARCHING,
    PULLING,
    SCORING,
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
   * @param signedRound in which round
   * @param requiredEntries entries that its signature needs
   * @param agreedEntries entries that the network agreed on
   * @param searchReady whether there is somebody to ask
   */
  public record SignatureInfo(
      Optional<SignatureState> signatureState,
      int signedRound,
      int requiredEntries,
      Optional<Integer> agreedEntries,
      boolean searchReady) {}

  /**
   * One search and what was pulled after it.
   *
   * @param number of the search, and of the alarms that go with it
   * @param searchCount how often it was asked
   * @param requestTick when models were asked for
   */
  public record PullAttempt(
      long number,
      int searchCount,
      long requestTick,
      List<Candidate> candidates,
      List<ReceivedModel> pulled) {
    static final PullAttempt NONE = new PullAttempt(0, 0, 0, List.of(), List.of());

    public PullAttempt {
      candidates = List.copyOf(candidates);
      pulled = List.copyOf(pulled);
    }
  }

  /** Somebody who waits for the model of a round. */
  public record DeferredRequest(PeerId from, int round) {}

  /** Somebody's model, of which round it is, and how alike its owner is. */
  public record ReceivedModel(PeerId from, int round, Weights weights, double similarity) {}

  public PullState {
    deferred = List.copyOf(deferred);
    outstanding = List.copyOf(outstanding);
    lateModels = List.copyOf(lateModels);
    latencies = List.copyOf(latencies);
  }

  /** The signature that others compare themselves with. */
  public Optional<Signature> signature() {
    return signatureInfo.signatureState().map(SignatureState::signature);
  }

  PullState inPhase(Phase next) {
    return new PullState(
        round,
        next,
        models,
        signatureInfo,
        pullAttempt,
        deferred,
        outstanding,
        lateModels,
        latencies);
  }

  PullState with(Models newModels, List<DeferredRequest> stillHeld) {
    return new PullState(
        round,
        phase,
        newModels,
        signatureInfo,
        pullAttempt,
        stillHeld,
        outstanding,
        lateModels,
        latencies);
  }

  PullState with(SignatureInfo newLikeness) {
    return new PullState(
        round,
        phase,
        models,
        newLikeness,
        pullAttempt,
        deferred,
        outstanding,
        lateModels,
        latencies);
  }

  PullState with(PullAttempt newHunt) {
    return new PullState(
        round, phase, models, signatureInfo, newHunt, deferred, outstanding, lateModels, latencies);
  }

  PullState withDeferred(List<DeferredRequest> requests) {
    return with(models, requests);
  }

  PullState withLatencies(List<Long> newAnswers) {
    return new PullState(
        round,
        phase,
        models,
        signatureInfo,
        pullAttempt,
        deferred,
        outstanding,
        lateModels,
        newAnswers);
  }

  PullState with(List<Candidate> stillOwing, List<ReceivedModel> newLate) {
    return new PullState(
        round, phase, models, signatureInfo, pullAttempt, deferred, stillOwing, newLate, latencies);
  }

  PullState atRound(int next, Weights from) {
    return new PullState(
        next,
        Phase.TRAINING,
        new Models(models.origin(), from, models.trained(), models.round()),
        signatureInfo,
        PullAttempt.NONE,
        deferred,
        outstanding,
        lateModels,
        latencies);
  }
}
