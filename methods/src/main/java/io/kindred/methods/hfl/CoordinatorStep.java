package io.kindred.methods.hfl;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.hfl.HflState.ClusterResult;
import io.kindred.methods.hfl.HflState.CoordinatorState;
import io.kindred.methods.hfl.HflState.Stage;
import io.kindred.methods.hfl.HflState.Strike;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One step of the coordinator, which collects reports, forms clusters, waits for their models and
 * averages them: turns the old {@link CoordinatorState} into the new one. A round in which no
 * cluster can be formed, or no cluster returns a model, leaves the global model unchanged.
 */
final class CoordinatorStep {
  static final String BEGIN = "begin";
  static final String REPORTS = "reports";
  static final String CLUSTERS = "clusters";
  static final String RESEND = "resend";

  /** Pause before the final model is sent again to clients that could not be reached. */
  private static final double RESEND_SECONDS = 5;

  private final Hfl method;
  private final PeerContext context;
  private final long tick;
  private final List<Effect> effects = new ArrayList<>();
  private RoundAttempt attempt;
  private Stage stage;
  private Weights model;
  private List<PeerId> awaited;
  private List<ClientReport> reports;
  private Optional<FormClusters.FormedClusters> formedClusters;
  private List<ClusterResult> clusterResults;
  private List<Strike> strikes;
  private LinkHistory links;
  private long stageStartTick;
  private long featureTicks;
  private List<Long> latencies;
  private Optional<GradientMismatch> lastMismatch;

  CoordinatorStep(HflMachine machine, CoordinatorState state, long tick) {
    method = machine.method();
    context = machine.coordinatorContext();
    this.tick = tick;
    attempt = state.roundAttempt();
    stage = state.stage();
    model = state.model();
    awaited = new ArrayList<>(state.awaited());
    reports = new ArrayList<>(state.reports());
    formedClusters = state.formed();
    clusterResults = new ArrayList<>(state.clusterResults());
    strikes = state.strikes();
    links = state.links();
    stageStartTick = state.stageStartTick();
    featureTicks = state.featureTicks();
    latencies = state.latencies();
    lastMismatch = state.lastMismatch();
  }

  CoordinatorState state() {
    return new CoordinatorState(
        attempt,
        stage,
        model,
        List.copyOf(awaited),
        List.copyOf(reports),
        formedClusters,
        List.copyOf(clusterResults),
        strikes,
        links,
        stageStartTick,
        featureTicks,
        latencies,
        lastMismatch);
  }

  List<Effect> effects() {
    return effects;
  }

  /** The state before the first round of a term. */
  static CoordinatorState initial(Hfl method, PeerContext context, long term) {
    return new CoordinatorState(
        new RoundAttempt(term, 0, -1),
        Stage.WAITING,
        context.initialWeights().apply(0),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        List.of(),
        LinkHistory.empty(method.linkTolerance(), method.linkRounds()),
        0,
        0,
        List.of(),
        Optional.empty());
  }

  /** Begins the interrupted round, or the next one. */
  void beginRoundAgain() {
    beginRound(attempt.round() + (stage == Stage.WAITING ? 1 : 0));
  }

  void beginRound(int round) {
    if (round > context.rounds()) {
      sendFinalModelToAll();
      return;
    }
    attempt = new RoundAttempt(attempt.term(), round, tick);
    strikes =
        strikes.stream().filter(strike -> strike.round() >= round - method.strikeRounds()).toList();
    reports = new ArrayList<>();
    clusterResults = new ArrayList<>();
    formedClusters = Optional.empty();
    awaited = new ArrayList<>(context.peers().stream().filter(this::isTrusted).toList());
    enterStage(Stage.COLLECTING);
    HflMessage.Begin begin = new HflMessage.Begin(attempt, model);
    awaited.forEach(peer -> effects.add(new Effect.Send(peer, begin)));
    setTimer(REPORTS, method.timeout().ticks(latencies));
    if (awaited.isEmpty()) {
      formClusters();
    }
  }

  private boolean isTrusted(PeerId peer) {
    return method.strikes() == 0
        || strikes.stream().filter(strike -> strike.client().equals(peer)).count()
            < method.strikes();
  }

  private void enterStage(Stage next) {
    stage = next;
    stageStartTick = tick;
  }

  /** The number of a timer is the start of its round attempt, so that old timers are ignored. */
  private void setTimer(String name, long ticks) {
    effects.add(new Effect.SetTimer(new Timer(name, attempt.startTick()), Math.max(1, ticks)));
  }

  private void count(String what) {
    effects.add(new Effect.Observe(new Observation.Counted(what)));
  }

  void timerFired(Timer timer) {
    if (timer.number() != attempt.startTick()) {
      return;
    }
    if (timer.name().equals(REPORTS) && stage == Stage.COLLECTING) {
      formClusters();
    } else if (timer.name().equals(CLUSTERS) && stage == Stage.LEARNING) {
      average();
    } else if (timer.name().equals(BEGIN) && stage == Stage.WAITING) {
      beginRound(attempt.round() + 1);
    } else if (timer.name().equals(RESEND) && isFinished()) {
      resendFinalModel();
    }
  }

  void received(PeerId from, Message message) {
    switch (message) {
      case HflMessage.SubmitReport(RoundAttempt of, ClientReport report, int _)
          when stage == Stage.COLLECTING
              && of.equals(attempt)
              && awaited.contains(from)
              && report.from().equals(from)
              && isValid(report) -> {
        reports.add(report);
        latencies = TimeoutPolicy.appendLatency(latencies, tick - stageStartTick);
        stopAwaiting(from);
      }
      case HflMessage.Outcome outcome
          when stage == Stage.LEARNING
              && outcome.roundAttempt().equals(attempt)
              && isValid(from, outcome) ->
          clusterFinished(from, outcome);
      case HflMessage.RegionOutcome outcome
          when stage == Stage.LEARNING
              && outcome.roundAttempt().equals(attempt)
              && isValid(from, outcome) ->
          regionFinished(from, outcome);
      case HflMessage.AskForModel _
          when context.peers().contains(from) || from.equals(context.server()) -> {
        if (isFinished()) {
          sendFinalModel(from);
        }
      }
      default -> count("unexpected-message");
    }
  }

  /** Features have to be of one kind and size, or they could not be compared. */
  private boolean isValid(ClientReport report) {
    return report.isValid()
        && report.direction().isPresent() == (method.feature() == Hfl.Feature.DIFFERENCE)
        && report.direction().map(each -> each.layout().equals(model.layout())).orElse(true)
        && report
            .lossGradient()
            .map(each -> each.gradient().layout().equals(model.layout()))
            .orElse(true)
        && (reports.isEmpty() || reports.getFirst().feature().length == report.feature().length);
  }

  private List<FormClusters.ClusterPlan> plans() {
    return formedClusters.map(FormClusters.FormedClusters::plans).orElse(List.of());
  }

  private boolean isValid(PeerId head, HflMessage.Outcome outcome) {
    return outcome.cluster() >= 0
        && outcome.cluster() < plans().size()
        && awaited.contains(plans().get(outcome.cluster()).head())
        && (plans().get(outcome.cluster()).head().equals(head)
            || isDeputy(head, plans().get(outcome.cluster())))
        && outcome.weights().layout().equals(model.layout())
        && outcome.weights().isFinite();
  }

  private void clusterFinished(PeerId from, HflMessage.Outcome outcome) {
    HflMessage.Share share =
        new HflMessage.Share(outcome.cluster(), outcome.from(), outcome.slow());
    finished(from, List.of(share), outcome.weights());
  }

  /** From the leader of a region or its deputy, with clusters of that region only. */
  private boolean isValid(PeerId leader, HflMessage.RegionOutcome outcome) {
    List<Integer> clusters = outcome.shares().stream().map(HflMessage.Share::cluster).toList();
    return formedClusters.stream()
            .flatMap(formed -> formed.regions().stream())
            .anyMatch(
                region ->
                    region.leader().equals(leader)
                        && clusters.stream().allMatch(each -> region.part(each).isPresent()))
        && new TreeSet<>(clusters).size() == clusters.size()
        && clusters.stream().anyMatch(each -> awaited.contains(plans().get(each).head()))
        && outcome.weights().layout().equals(model.layout())
        && outcome.weights().isFinite();
  }

  /** A cluster that has left its region is in the region's model too if that had come before. */
  private void regionFinished(PeerId from, HflMessage.RegionOutcome outcome) {
    clusterResults.removeIf(
        result ->
            outcome.shares().stream().anyMatch(each -> result.clusters().contains(each.cluster())));
    finished(from, outcome.shares(), outcome.weights());
  }

  private void finished(PeerId from, List<HflMessage.Share> shares, Weights weights) {
    double total = 0;
    for (HflMessage.Share share : shares) {
      for (FormClusters.Member member : plans().get(share.cluster()).members()) {
        total += share.from().contains(member.peer()) ? member.share() : 0;
        if (share.slow().contains(member.peer())) {
          strikes =
              Stream.concat(strikes.stream(), Stream.of(new Strike(member.peer(), attempt.round())))
                  .toList();
          count("slow-client");
        }
      }
    }
    List<Integer> clusters = shares.stream().map(HflMessage.Share::cluster).toList();
    clusterResults.add(new ClusterResult(from, clusters, weights, total));
    clusters.forEach(cluster -> stopAwaiting(plans().get(cluster).head()));
  }

  private static boolean isDeputy(PeerId peer, FormClusters.ClusterPlan clusterPlan) {
    return clusterPlan.deputy().filter(deputy -> deputy.peer().equals(peer)).isPresent();
  }

  /** Whether a deputy can replace this head; then the cluster is still awaited. */
  private boolean isReplaceable(PeerId head) {
    return stage == Stage.LEARNING
        && plans().stream().anyMatch(each -> each.head().equals(head) && each.deputy().isPresent());
  }

  /** To every client, and to the server that a client has replaced. */
  private void sendFinalModelToAll() {
    context.peers().forEach(this::sendFinalModel);
    if (!context.self().equals(context.server())) {
      sendFinalModel(context.server());
    }
  }

  private void sendFinalModel(PeerId client) {
    effects.add(new Effect.Send(client, new HflMessage.FinalModel(attempt, model)));
  }

  boolean isFinished() {
    return stage == Stage.WAITING && attempt.round() >= context.rounds();
  }

  /** A client that is down asks for the final model when it returns. */
  private void resendFinalModel() {
    awaited.forEach(this::sendFinalModel);
    awaited = new ArrayList<>();
  }

  void sendFailed(PeerId to, Message message) {
    if (message instanceof HflMessage.FinalModel) {
      if (to.equals(context.server())) {
        return; // It asks when it returns.
      }
      if (awaited.isEmpty()) {
        setTimer(RESEND, Ticks.ofSeconds(RESEND_SECONDS));
      }
      if (!awaited.contains(to)) {
        awaited.add(to);
      }
      return;
    }
    boolean asked =
        switch (message) {
          case HflMessage.Begin begin ->
              stage == Stage.COLLECTING && begin.roundAttempt().equals(attempt);
          case HflMessage.Assignment assignment ->
              stage == Stage.LEARNING && assignment.roundAttempt().equals(attempt);
          default -> false;
        };
    if (asked && !isReplaceable(to)) {
      stopAwaiting(to);
    }
  }

  /** Stops waiting for a peer; the next stage begins after the last one. */
  private void stopAwaiting(PeerId peer) {
    if (awaited.remove(peer) && awaited.isEmpty()) {
      if (stage == Stage.COLLECTING) {
        formClusters();
      } else {
        average();
      }
    }
  }

  private void formClusters() {
    awaited = new ArrayList<>();
    reports.sort(Comparator.comparing(ClientReport::from));
    featureTicks = tick - stageStartTick;
    enterStage(Stage.FORMING);
    effects.add(
        new Effect.Compute(
            attempt.round(),
            new Ticket.Call(
                new FormClusters(
                    method.clusters(),
                    reports,
                    method.feature() == Hfl.Feature.SKEW,
                    model.bytes(),
                    method.globalSeconds(),
                    method.weighting() == Hfl.Weighting.EQUAL,
                    context.training().optimizerAt(attempt.round()).learningRate(),
                    links,
                    context.streams().seed(),
                    attempt.round()))));
  }

  void computed(long ticket, Result result) {
    if (ticket != attempt.round()) {
      return;
    }
    switch (result) {
      case Result.Answered(FormClusters.FormedClusters answer) when stage == Stage.FORMING ->
          startClusters(answer);
      case Result.Mixed(Weights weights) when stage == Stage.AVERAGING -> deploy(weights);
      default -> {}
    }
  }

  private void startClusters(FormClusters.FormedClusters answer) {
    answer.inconsistentReporters().forEach(reporter -> count("links-contradicted"));
    links = answer.links();
    reports = new ArrayList<>();
    if (answer.problem().isPresent()) {
      count("no-clustering");
      deploy(model);
      return;
    }
    formedClusters = Optional.of(answer);
    if (plans().size() < method.clusters().count()) {
      count("fewer-clusters");
    }
    if (answer.withoutFixedHeads()) {
      count("fixed-heads-missing");
    }
    enterStage(Stage.LEARNING);
    double longest = 0;
    for (int cluster = 0; cluster < plans().size(); cluster++) {
      FormClusters.ClusterPlan clusterPlan = plans().get(cluster);
      awaited.add(clusterPlan.head());
      // One step more than planned, which a deputy needs to take over.
      longest = Math.max(longest, (clusterPlan.rounds() + 1) * clusterPlan.maxRoundSeconds());
      sendAssignments(cluster, clusterPlan);
    }
    double inRegions =
        answer.regions().stream()
            .mapToDouble(region -> region.cycles() * region.headSeconds(method))
            .max()
            .orElse(0);
    setTimer(
        CLUSTERS,
        method.timeout().ticks(List.of())
            + Ticks.ofSeconds(method.slowFactor() * longest + inRegions));
  }

  /** The head first: a fast member's update should not arrive before the head's assignment. */
  private void sendAssignments(int cluster, FormClusters.ClusterPlan clusterPlan) {
    Optional<PeerId> deputy = clusterPlan.deputy().map(FormClusters.Deputy::peer);
    Optional<Region> region = formedClusters.orElseThrow().regionOf(cluster);
    effects.add(
        new Effect.Send(
            clusterPlan.head(),
            new HflMessage.Assignment(
                attempt,
                cluster,
                clusterPlan.head(),
                deputy,
                clusterPlan.rounds(),
                clusterPlan.members(),
                region)));
    HflMessage.Assignment others =
        new HflMessage.Assignment(
            attempt, cluster, clusterPlan.head(), deputy, clusterPlan.rounds(), List.of());
    for (FormClusters.Member member : clusterPlan.members()) {
      if (!member.peer().equals(clusterPlan.head())) {
        effects.add(
            new Effect.Send(
                member.peer(),
                isDeputy(member.peer(), clusterPlan)
                    ? AssignmentBuilder.from(others)
                        .members(clusterPlan.deputy().orElseThrow().members())
                        .region(region)
                        .build()
                    : others));
      }
    }
  }

  private void average() {
    awaited = new ArrayList<>();
    double total = clusterResults.stream().mapToDouble(ClusterResult::share).sum();
    if (clusterResults.stream().mapToInt(each -> each.clusters().size()).sum() < plans().size()) {
      count("cluster-missing");
    }
    if (!(total > 0)) {
      deploy(model);
      return;
    }
    enterStage(Stage.AVERAGING);
    clusterResults.sort(Comparator.comparingInt(each -> each.clusters().getFirst()));
    ModelAverage average =
        new ModelAverage(clusterResults.stream().map(ClusterResult::model).toList());
    effects.addAll(average.effects(context.self(), attempt.round(), method.weighting()));
  }

  private void deploy(Weights weights) {
    formedClusters.ifPresent(
        formed -> {
          effects.addAll(
              RoundMetrics.ofClusters(attempt.round(), formed, featureTicks, lastMismatch));
          lastMismatch = formed.mismatch();
        });
    model = weights;
    effects.add(new Effect.Observe(new Observation.RoundCompleted(attempt.round())));
    formedClusters = Optional.empty();
    clusterResults = new ArrayList<>();
    enterStage(Stage.WAITING);
    if (attempt.round() >= context.rounds()) {
      sendFinalModelToAll();
      return;
    }
    long period = Ticks.ofSeconds(method.periodSeconds());
    if (period == 0) {
      beginRound(attempt.round() + 1);
    } else {
      setTimer(BEGIN, period - tick % period);
    }
  }
}
