package io.kindred.methods.discovery;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.PeerSearchState.Phase;
import io.kindred.protocol.discovery.DiscoveryLocalMessage;
import io.kindred.protocol.discovery.SimilarityDraw;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.protocol.signature.SignatureState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds similar peers for a method: describes the peer's own model by a signature or a sketch, asks
 * the discovery, and waits for its answer. A machine of a method keeps the {@link PeerSearchState}
 * in its own state, and passes the events of the search on.
 *
 * @param fixedSignature a signature that does not depend on the model; empty if it is computed from
 *     the model
 * @param wanted number of peers to find
 * @param timeout how long the search waits for an answer
 * @param draw whether the most similar peers are taken, or peers are drawn by similarity
 */
public record PeerSearch(
    PeerDiscovery discovery,
    PeerContext context,
    Supplier<Optional<Signature>> fixedSignature,
    int wanted,
    TimeoutPolicy timeout,
    SimilarityDraw draw) {
  private static final Purpose DRAW = new Purpose("peer-draw");

  /** A draw chooses from so many times as many peers as are wanted. */
  private static final int DRAWN_FROM = 4;

  private static final String TIMEOUT = "search";
  private static final String RETRY = "ask-again";

  /** The largest cosine, plus a tolerance for rounding. */
  private static final double MAX_SIMILARITY = 1.001;

  private static final double INITIAL_BACKOFF_SECONDS = 0.05;
  private static final int MAX_BACKOFF_DOUBLINGS = 7;

  /**
   * The result of one event for a search.
   *
   * @param found the peers that the search found, the best first; empty while the search goes on
   */
  public record Progress(
      PeerSearchState state, List<Effect> effects, Optional<List<Candidate>> found) {
    public Progress {
      effects = List.copyOf(effects);
    }

    private static Progress of(PeerSearchState state, Effect... effects) {
      return new Progress(state, List.of(effects), Optional.empty());
    }

    private Progress precededBy(List<Effect> first) {
      List<Effect> all = new ArrayList<>(first);
      all.addAll(effects);
      return new Progress(state, all, found);
    }
  }

  public PeerSearchState initial() {
    Weights start = initialWeights();
    return new PeerSearchState(
        Phase.IDLE,
        new OwnModel(comparesChanges() ? Optional.of(start) : Optional.empty(), start, start, 0, 0),
        new SignatureInfo(Optional.empty(), 0, 0, Optional.empty(), discovery.isReadyAtStart()),
        0,
        0);
  }

  /** The weights that all peers started from. */
  public Weights initialWeights() {
    return context.initialWeights().apply(0);
  }

  /** Whether models are compared by their changes since the common start, not by their weights. */
  public boolean comparesChanges() {
    return discovery
        .signing()
        .map(signing -> signing.signatures().of() == SignatureRule.Subject.DELTA)
        .orElse(true);
  }

  /** Describes the own model: by a signature, by a sketch, or not at all. Then searches. */
  public Progress describe(PeerSearchState state, long tick) {
    Optional<Signature> given = fixedSignature.get();
    PeerSearchState next = state.inPhase(Phase.DESCRIBING);
    if (given.isPresent()) {
      SignatureState made = new SignatureState(Optional.empty(), given.get(), 0);
      return signed(next, made, given.get().size(), tick);
    }
    return description(state)
        .map(
            function ->
                Progress.of(
                    next, new Effect.Compute(state.model().round(), new Ticket.Call(function))))
        .orElseGet(() -> search(described(next), tick));
  }

  private Optional<PureFunction> description(PeerSearchState state) {
    OwnModel model = state.model();
    SignatureInfo known = state.signatureInfo();
    return discovery
        .signing()
        .<PureFunction>map(
            signing ->
                new ComputeSignature(
                    signing.signatures(),
                    signing.signatureShare(),
                    model.trained(),
                    initialWeights(),
                    known.signatureState(),
                    known.agreedEntries(),
                    known.requiredEntries()))
        .or(
            () ->
                discovery
                    .sketching()
                    .map(
                        rule ->
                            new SketchModel(
                                rule,
                                context.sentForm().apply(model.trained()),
                                initialWeights(),
                                model.from())));
  }

  /** Continues with the result of a ticket; results of other tickets change nothing. */
  public Progress computed(PeerSearchState state, Result result, long tick) {
    if (state.phase() != Phase.DESCRIBING) {
      return Progress.of(state);
    }
    return switch (result) {
      case Result.Answered(
              ComputeSignature.ComputedSignature(SignatureState made, int requiredEntries)) ->
          signed(state, made, requiredEntries, tick);
      case Result.Answered(SketchModel.ModelSketch(Sketch sketch)) -> sketched(state, sketch, tick);
      case Result.Answered _, Result.Trained _, Result.Mixed _, Result.Losses _, Result.Outputs _ ->
          Progress.of(state);
    };
  }

  private Progress signed(
      PeerSearchState state, SignatureState made, int requiredEntries, long tick) {
    PeerSearchState next =
        described(state)
            .with(
                SignatureInfoBuilder.from(described(state).signatureInfo())
                    .signatureState(Optional.of(made))
                    .requiredEntries(requiredEntries)
                    .build());
    return search(next, tick)
        .precededBy(discovery.signed(made.signature(), requiredEntries).stream().toList());
  }

  private Progress sketched(PeerSearchState state, Sketch sketch, long tick) {
    Effect trained =
        new Effect.Notify(
            Component.DISCOVERY,
            new DiscoveryLocalMessage.ModelTrained(state.model().version(), sketch));
    return search(described(state), tick).precededBy(List.of(trained));
  }

  private static PeerSearchState described(PeerSearchState state) {
    return state.with(
        SignatureInfoBuilder.from(state.signatureInfo())
            .signedRound(state.model().round())
            .build());
  }

  /** Goes on after a restart: a search that was interrupted begins again. */
  public Progress resume(PeerSearchState state, long tick) {
    return state.phase() == Phase.DESCRIBING ? describe(state, tick) : search(state, tick);
  }

  /** Sends a search, or waits until searches are possible. The tick is an unused search number. */
  public Progress search(PeerSearchState state, long tick) {
    PeerSearchState next =
        PeerSearchStateBuilder.from(state)
            .phase(Phase.SEARCHING)
            .number(tick)
            .searchCount(0)
            .build();
    if (discovery.answersAtOnce()) {
      return send(next, false);
    }
    Effect ends = new Effect.SetTimer(new Timer(TIMEOUT, tick), timeout.ticks(List.of()));
    return state.signatureInfo().searchReady()
        ? send(next, false).precededBy(List.of(ends))
        : Progress.of(next, ends);
  }

  private Progress send(PeerSearchState state, boolean immediate) {
    Effect search =
        discovery.ask(
            new PeerDiscovery.Request(
                state.number(),
                drawsHere() ? DRAWN_FROM * wanted : wanted,
                state.model().round(),
                immediate,
                draw));
    return Progress.of(
        PeerSearchStateBuilder.from(state).searchCount(state.searchCount() + 1).build(), search);
  }

  /**
   * Continues with a message of the discovery.
   *
   * @param latencies how long the last answers of other peers took
   */
  public Progress notified(PeerSearchState state, LocalMessage message, List<Long> latencies) {
    return switch (message) {
      case OverlayLocalMessage.Ready ready -> overlayReady(state, ready.signatureEntries());
      case OverlayLocalMessage.SearchFinished finished when state.awaits(finished.number()) ->
          found(state, finished.candidates())
              .precededBy(
                  List.of(
                      new Effect.Observe(
                          new Observation.Measured(
                              state.model().round(),
                              Observation.Measured.SEARCH_SECONDS,
                              Ticks.toSeconds(finished.ticks())))));
      case DiscoveryLocalMessage.Similar similar when state.awaits(similar.number()) ->
          similar.candidates().isEmpty() && wanted > 0
              ? new Progress(state, retriesWhileAlone(state, latencies), Optional.empty())
              : found(state, similar.candidates());
      case Oracle.Nearest nearest when state.awaits(nearest.number()) ->
          found(withAgreedEntries(state, nearest.entries()), nearest.candidates());
      case Oracle.NotYet notYet when state.awaits(notYet.number()) ->
          Progress.of(state, scheduleRetry(state));
      default -> Progress.of(state);
    };
  }

  private static PeerSearchState withAgreedEntries(PeerSearchState state, int entries) {
    SignatureInfo known = state.signatureInfo();
    return state.with(
        SignatureInfoBuilder.from(known)
            .agreedEntries(entries > 0 ? Optional.of(entries) : known.agreedEntries())
            .searchReady(true)
            .build());
  }

  private Progress overlayReady(PeerSearchState state, int entries) {
    PeerSearchState next = withAgreedEntries(state, entries);
    return state.phase() == Phase.SEARCHING && state.searchCount() == 0
        ? send(next, false)
        : Progress.of(next);
  }

  private static Effect scheduleRetry(PeerSearchState state) {
    double seconds =
        INITIAL_BACKOFF_SECONDS * (1 << Math.min(state.searchCount(), MAX_BACKOFF_DOUBLINGS));
    return new Effect.SetTimer(new Timer(RETRY, state.number()), Ticks.ofSeconds(seconds));
  }

  /**
   * A peer that knows no other peer asks again until the timeout. Without this wait it would train
   * round after round at once, and run ahead of all peers that it meets later.
   */
  private List<Effect> retriesWhileAlone(PeerSearchState state, List<Long> latencies) {
    List<Effect> effects = new ArrayList<>();
    effects.add(scheduleRetry(state));
    if (state.searchCount() == 1) {
      effects.add(
          new Effect.SetTimer(new Timer(TIMEOUT, state.number()), timeout.ticks(latencies)));
    }
    return effects;
  }

  /** Continues with a timer; timers of the machine itself change nothing. */
  public Progress timerFired(PeerSearchState state, Timer timer) {
    if (!state.awaits(timer.number())) {
      return Progress.of(state);
    }
    return switch (timer.name()) {
      case RETRY -> send(state, false);
      case TIMEOUT -> timedOut(state);
      default -> Progress.of(state);
    };
  }

  /** An exact search is repeated without waiting for other peers; any other search ends. */
  private Progress timedOut(PeerSearchState state) {
    return discovery.needsGlobalView()
        ? send(state, true)
        : found(state, List.of())
            .precededBy(List.of(new Effect.Observe(new Observation.Counted("search-ended"))));
  }

  /** Whether peers are drawn here, because the discovery answers with the most similar ones. */
  private boolean drawsHere() {
    return draw.draws() && !discovery.draws();
  }

  private Progress found(PeerSearchState state, List<Candidate> candidates) {
    List<Candidate> usable =
        candidates.stream()
            .filter(each -> !each.peer().equals(context.self()))
            // Candidates report their similarity themselves, and it may be wrong.
            .filter(each -> Math.abs(each.similarity()) <= MAX_SIMILARITY)
            .toList();
    List<Candidate> others =
        drawsHere()
            ? draw.draw(
                usable,
                wanted,
                context.streams().stream(DRAW, context.self().number(), state.model().round()))
            : usable.stream().limit(wanted).toList();
    // How many of the most similar peers a draw has found says nothing about its quality.
    List<Effect> effects =
        draw.draws()
            ? List.of()
            : List.of(
                new Effect.Observe(
                    new Observation.SearchCompleted(
                        state.model().round(),
                        wanted,
                        others.stream().map(Candidate::peer).toList())));
    return new Progress(state.inPhase(Phase.IDLE), effects, Optional.of(others));
  }
}
