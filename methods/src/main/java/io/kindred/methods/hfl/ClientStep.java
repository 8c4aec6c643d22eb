package io.kindred.methods.hfl;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.hfl.HflState.ClientState;
import io.kindred.methods.hfl.HflState.HeadState;
import io.kindred.methods.hfl.HflState.Membership;
import io.kindred.methods.hfl.HflState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** One step of a client: turns the old {@link ClientState} into the new one. */
final class ClientStep {
  /** How often a client retries to send a message that did not arrive. */
  static final int RETRIES = 5;

  /** Stream keys of a round, so that each training of a round has its own random stream. */
  static final long TRAININGS_PER_ROUND = 10_000;

  static final DataView OWN = DataView.own(DataView.Split.TRAIN);

  static final String ASK = "ask";

  /** Pause before a client that cannot reach the coordinator asks it again. */
  static final double ASK_SECONDS = 5;

  private final Hfl method;
  private final PeerContext context;
  private final PeerId coordinator;
  private final double spentJoules;
  private final long tick;
  private final List<Effect> effects = new ArrayList<>();
  private RoundAttempt roundAttempt;
  private Phase phase;
  private Optional<Weights> model;
  private Optional<Weights> global;
  private List<PeerId> neighbours;
  private final MeasuredLinks links;
  private long ticket;
  private long workStartTick;
  private ClientReport draftReport;
  private int deployedRound;
  private Optional<PeerId> asked;
  private Optional<Membership> membership;

  /**
   * A step of a client.
   *
   * @param coordinator the coordinator that the client follows
   * @param spentJoules energy that the client has spent
   */
  ClientStep(
      HflMachine machine, PeerId coordinator, ClientState state, long tick, double spentJoules) {
    method = machine.method();
    context = machine.context();
    this.coordinator = coordinator;
    this.spentJoules = spentJoules;
    this.tick = tick;
    roundAttempt = state.roundAttempt();
    phase = state.phase();
    model = state.model();
    global = state.global();
    neighbours = state.neighbours();
    links = new MeasuredLinks(state.links());
    ticket = state.ticket();
    workStartTick = state.workStartTick();
    draftReport = state.draftReport();
    deployedRound = state.deployedRound();
    asked = state.asked();
    membership = state.membership();
  }

  /** The state before the first round. */
  static ClientState initial(PeerContext context) {
    return new ClientState(
        RoundAttempt.NONE,
        Phase.IDLE,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        new TreeMap<>(),
        0,
        0,
        ClientReport.empty(context.self(), context.samples()),
        0,
        Optional.empty(),
        Optional.empty());
  }

  ClientState state() {
    return new ClientState(
        roundAttempt,
        phase,
        model,
        global,
        neighbours,
        links.rates(),
        ticket,
        workStartTick,
        draftReport,
        deployedRound,
        asked,
        membership);
  }

  List<Effect> effects() {
    return effects;
  }

  void setNeighbours(List<PeerId> now) {
    neighbours = List.copyOf(now);
  }

  MeasuredLinks links() {
    return links;
  }

  /** Abandons the current work and the cluster. */
  void abandonRound() {
    phase = Phase.IDLE;
    membership = Optional.empty();
  }

  void count(String what) {
    effects.add(new Effect.Observe(new Observation.Counted(what)));
  }

  void send(PeerId to, Message message) {
    effects.add(new Effect.Send(to, message));
  }

  /** Ticket numbers are below zero, because numbers from zero on are rounds, which mixing uses. */
  void compute(Phase next, Ticket work) {
    phase = next;
    ticket--;
    workStartTick = tick;
    effects.add(new Effect.Compute(ticket, work));
  }

  boolean beginRound(HflMessage.Begin begin) {
    if (!begin.roundAttempt().isNewerThan(roundAttempt)
        || begin.roundAttempt().round() > context.rounds()
        || !isCompatible(begin.model())) {
      return false;
    }
    roundAttempt = begin.roundAttempt();
    deploy(roundAttempt.round() - 1, begin.model());
    membership = Optional.empty();
    global = Optional.of(begin.model());
    model = global;
    draftReport =
        ClientReportBuilder.from(ClientReport.empty(context.self(), context.samples()))
            .steps(stepsIn(context.training().epochs()))
            .links(links.reported(neighbours))
            .spentJoules(spentJoules)
            .build();
    new FeatureStep(this).begin();
    return true;
  }

  /** The coordinator has averaged the last round. */
  boolean finalModelReceived(HflMessage.FinalModel last) {
    boolean wanted = deployedRound < context.rounds() && isCompatible(last.model());
    if (wanted) {
      abandonRound();
      roundAttempt = last.roundAttempt();
      global = Optional.of(last.model());
      deploy(context.rounds(), last.model());
    }
    return wanted;
  }

  /** Reports the global model that a round ended with, once for each round. */
  private void deploy(int round, Weights weights) {
    if (round > deployedRound) {
      deployedRound = round;
      effects.add(
          new Effect.Observe(Observation.Deployed.of(round, Observation.Stage.MIXED, weights)));
    }
  }

  /**
   * Asks for the final model, which the coordinator may have sent while this client was down. If
   * the one that it asked cannot be reached, it asks the next neighbour: every client that has
   * finished has the model.
   */
  void askForModel() {
    if (deployedRound < context.rounds()) {
      PeerId next = asked.flatMap(this::neighbourAfter).orElse(coordinator);
      asked = Optional.of(next);
      send(next, new HflMessage.AskForModel());
    }
  }

  private Optional<PeerId> neighbourAfter(PeerId last) {
    return neighbours.stream()
        .filter(each -> last.equals(coordinator) || each.compareTo(last) > 0)
        .findFirst();
  }

  /** The coordinator answers, or there is another one. */
  void forgetAsked() {
    asked = Optional.empty();
  }

  boolean isCompatible(Weights weights) {
    return weights.layout().equals(context.initialWeights().apply(0).layout())
        && weights.isFinite();
  }

  int stepsIn(int epochs) {
    int batch = context.training().batch();
    int perEpoch = batch == 0 ? 1 : (context.samples() + batch - 1) / batch;
    return epochs * perEpoch;
  }

  StreamKey streamKey(long training) {
    return new StreamKey(
        Purpose.BATCHES,
        context.self().number(),
        roundAttempt.round() * TRAININGS_PER_ROUND + training);
  }

  Ticket.Train trainingTicket(Weights from, long number, Ticket.Duration duration) {
    return new Ticket.Train(
        from,
        Objective.plain(),
        OWN,
        context.training().optimizerAt(roundAttempt.round()),
        context.training().batch(),
        duration,
        streamKey(number));
  }

  void computed(long number, Result result) {
    if (phase == Phase.MIXING) {
      if (number == roundAttempt.round() && result instanceof Result.Mixed(Weights weights)) {
        RegionStep region = new RegionStep(this);
        if (region.isAveraging()) {
          region.averaged(weights);
        } else {
          new HeadStep(this).averaged(weights);
        }
      }
      return;
    }
    if (number != ticket) {
      return;
    }
    switch (result) {
      case Result.Trained trained when phase == Phase.MEASURING_GRADIENT ->
          new FeatureStep(this).gradientMeasured(trained);
      case Result.Trained trained when phase == Phase.TRAINING_FEATURE ->
          new FeatureStep(this).featureTrained(trained);
      case Result.Outputs outputs when phase == Phase.PREDICTING ->
          new FeatureStep(this).predicted(outputs);
      case Result.Answered(ExtractFeature.Feature feature) when phase == Phase.EXTRACTING_FEATURE ->
          new FeatureStep(this).sendReport(feature.direction(), feature.row());
      case Result.Trained trained when phase == Phase.TRAINING -> trained(trained.weights());
      default -> {}
    }
  }

  boolean assignmentReceived(HflMessage.Assignment assignment) {
    if (!assignment.roundAttempt().equals(roundAttempt)
        || membership.isPresent()
        || global.isEmpty()
        || phase != Phase.IDLE
        || assignment.rounds() < 1
        || assignment.region().filter(region -> !region.fits(assignment.rounds())).isPresent()) {
      return false;
    }
    boolean leads = assignment.head().equals(context.self());
    membership =
        Optional.of(
            new Membership(
                assignment.cluster(),
                assignment.head(),
                assignment.rounds(),
                0,
                -1,
                Optional.empty(),
                assignment.deputy(),
                leads ? List.of() : assignment.members(),
                0,
                Optional.empty(),
                assignment.region()));
    if (leads) {
      new HeadStep(this).startLeading(assignment.members());
    }
    Weights start =
        method.start() == Hfl.Start.FEATURE ? model.orElseThrow() : global.orElseThrow();
    train(start, 0);
    return true;
  }

  /** Trains a step of the cluster's round. */
  void train(Weights from, int step) {
    Membership now = membership.orElseThrow();
    membership =
        Optional.of(MembershipBuilder.from(now).step(step).update(Optional.empty()).build());
    compute(
        Phase.TRAINING,
        trainingTicket(from, 1L + step, new Ticket.Duration.Epochs(context.training().epochs())));
  }

  private void trained(Weights weights) {
    Membership now = membership.orElseThrow();
    phase = Phase.IDLE;
    if (now.step() == now.rounds() - 1) {
      effects.add(
          new Effect.Observe(
              new Observation.Measured(
                  roundAttempt.round(), Observation.Measured.CLUSTER, now.cluster())));
      effects.add(
          new Effect.Observe(
              Observation.Deployed.of(roundAttempt.round(), Observation.Stage.TRAINED, weights)));
    }
    if (now.headState().isPresent()) {
      new HeadStep(this).modelReceived(context.self(), weights, true);
    } else {
      // The first step is begun by the coordinator, not by a model of the head.
      sendUpdate(weights, now.step() == 0 ? -1 : tick - workStartTick);
    }
  }

  /** Sends the model of this step to the head. */
  void sendUpdate(Weights weights, long heldTicks) {
    membership =
        Optional.of(
            MembershipBuilder.from(membership())
                .updateTick(tick)
                .update(Optional.of(weights))
                .build());
    send(
        membership().head(),
        new HflMessage.Update(roundAttempt, membership().step(), weights, heldTicks, 0));
    new DeputyStep(this).watchHead();
  }

  /** Discards the work of later steps, because a new head continues from this one. */
  void returnToStep(int step) {
    phase = Phase.IDLE;
    membership =
        Optional.of(
            MembershipBuilder.from(membership()).step(step).update(Optional.empty()).build());
  }

  boolean isMember() {
    return membership.isPresent();
  }

  void setMembership(Membership now) {
    membership = Optional.of(now);
  }

  /** The head has averaged; a member that is behind abandons its training. */
  boolean clusterModelReceived(PeerId from, HflMessage.ClusterModel next) {
    boolean wanted =
        next.roundAttempt().equals(roundAttempt)
            && membership.isPresent()
            && membership.get().head().equals(from)
            && next.step() > membership.get().step()
            && next.step() < membership.get().rounds()
            && isCompatible(next.weights());
    if (wanted) {
      if (phase == Phase.TRAINING) {
        send(from, new HflMessage.Behind(roundAttempt, membership.get().step()));
      } else {
        links.exchanged(
            from, tick - membership.get().updateTick(), next.heldTicks(), next.weights());
      }
      train(next.weights(), next.step());
    }
    return wanted;
  }

  /** Whether a message belongs to the cluster that this client leads in this round attempt. */
  boolean isForMyCluster(PeerId from, HflMessage message) {
    return message.roundAttempt().equals(roundAttempt)
        && membership.flatMap(Membership::headState).isPresent()
        && !from.equals(context.self());
  }

  void timerFired(Timer timer) {
    new DeputyStep(this).timerFired(timer.number());
    new RegionStep(this).timerFired(timer.number());
    if (membership.flatMap(Membership::headState).isPresent()
        && membership.get().headState().get().timerNumber() == timer.number()) {
      new HeadStep(this).stepTimedOut();
    }
  }

  Membership membership() {
    return membership.orElseThrow();
  }

  Hfl method() {
    return method;
  }

  Weights global() {
    return global.orElseThrow();
  }

  RoundAttempt roundAttempt() {
    return roundAttempt;
  }

  long workStartTick() {
    return workStartTick;
  }

  ClientReport draftReport() {
    return draftReport;
  }

  void setDraftReport(ClientReport report) {
    draftReport = report;
  }

  void setModel(Weights weights) {
    model = Optional.of(weights);
  }

  boolean isIdle() {
    return phase == Phase.IDLE;
  }

  void finishWork() {
    phase = Phase.IDLE;
  }

  PeerContext context() {
    return context;
  }

  PeerId coordinator() {
    return coordinator;
  }

  long tick() {
    return tick;
  }

  /** Replaces the state of the head. */
  void setHeadState(HeadState headState) {
    Membership now = membership();
    membership = Optional.of(MembershipBuilder.from(now).headState(Optional.of(headState)).build());
  }

  /** Sets a timer with a new number, so that earlier timers are ignored. */
  long setTimer(String name, long ticks) {
    ticket--;
    effects.add(new Effect.SetTimer(new Timer(name, ticket), Math.max(1, ticks)));
    return ticket;
  }

  void average(List<ModelAverage.Model> models) {
    phase = Phase.MIXING;
    effects.addAll(
        new ModelAverage(models).effects(context.self(), roundAttempt.round(), method.weighting()));
  }

  void sendClusterModel(PeerId member, int step, Weights weights, long heldTicks) {
    send(member, new HflMessage.ClusterModel(roundAttempt, step, weights, heldTicks));
  }

  /** Sends the final model of the cluster. */
  void sendOutcome(Weights weights, List<PeerId> from, List<PeerId> slow) {
    phase = Phase.IDLE;
    send(
        coordinator,
        new HflMessage.Outcome(roundAttempt, membership().cluster(), weights, from, slow, 0));
  }
}
