package io.kindred.methods.hfl;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.hfl.HflState.ClientState;
import io.kindred.methods.hfl.HflState.HeadState;
import io.kindred.methods.hfl.HflState.Membership;
import io.kindred.methods.hfl.HflState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** One step of a client: turns the old {@link ClientState} into the new one. */
final class ClientStep {
  /** How often a client retries to send a message that did not arrive. */
  private static final int RETRIES = 5;

  /** Training steps that measure the speed of a client whose feature needs no training. */
  private static final int PROBE_STEPS = 5;

  /** Stream keys of a round, so that each training of a round has its own random stream. */
  private static final long TRAININGS_PER_ROUND = 10_000;

  private static final DataView OWN = DataView.own(DataView.Split.TRAIN);

  private final Hfl method;
  private final PeerContext context;
  private final long tick;
  private final List<Effect> effects = new ArrayList<>();
  private RoundAttempt roundAttempt;
  private Phase phase;
  private Optional<Weights> model;
  private Optional<Weights> global;
  private List<PeerId> neighbours;
  private final SortedMap<PeerId, Double> links;
  private long ticket;
  private long workStartTick;
  private ClientReport draftReport;
  private Optional<Membership> membership;

  ClientStep(HflClient machine, ClientState state, long tick) {
    method = machine.method();
    context = machine.context();
    this.tick = tick;
    roundAttempt = state.roundAttempt();
    phase = state.phase();
    model = state.model();
    global = state.global();
    neighbours = state.neighbours();
    links = new TreeMap<>(state.links());
    ticket = state.ticket();
    workStartTick = state.workStartTick();
    draftReport = state.draftReport();
    membership = state.membership();
  }

  Step<HflState> toStep() {
    return new Step<>(
        new ClientState(
            roundAttempt,
            phase,
            model,
            global,
            neighbours,
            links,
            ticket,
            workStartTick,
            draftReport,
            membership),
        effects);
  }

  void setNeighbours(List<PeerId> now) {
    neighbours = List.copyOf(now);
  }

  void linkMeasured(PeerId peer, double bytesPerSecond) {
    links.put(peer, bytesPerSecond);
  }

  /** Abandons the current work and the cluster. */
  void abandonRound() {
    phase = Phase.IDLE;
    membership = Optional.empty();
  }

  void count(String what) {
    effects.add(new Effect.Observe(new Observation.Counted(what)));
  }

  private void send(PeerId to, Message message) {
    effects.add(new Effect.Send(to, message));
  }

  /** Ticket numbers are below zero, because numbers from zero on are rounds, which mixing uses. */
  private void compute(Phase next, Ticket work) {
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
    membership = Optional.empty();
    global = Optional.of(begin.model());
    model = global;
    draftReport =
        new ClientReport(
            context.self(),
            context.samples(),
            0,
            stepsIn(context.training().epochs()),
            throughputs(),
            Optional.empty(),
            Floats.of(),
            Optional.empty());
    if (method.mismatch()) {
      compute(Phase.MEASURING_GRADIENT, gradientTicket(begin.model()));
    } else {
      computeFeature();
    }
    return true;
  }

  private boolean isCompatible(Weights weights) {
    return weights.layout().equals(context.initialWeights().apply(0).layout())
        && weights.isFinite();
  }

  /** A link without a measurement counts as infinitely fast. */
  private List<ClientReport.Throughput> throughputs() {
    return neighbours.stream()
        .map(
            peer ->
                new ClientReport.Throughput(
                    peer, links.getOrDefault(peer, Double.POSITIVE_INFINITY)))
        .toList();
  }

  private int stepsIn(int epochs) {
    int batch = context.training().batch();
    int perEpoch = batch == 0 ? 1 : (context.samples() + batch - 1) / batch;
    return epochs * perEpoch;
  }

  /** One step of size one on all samples at once: the change of the weights is the gradient. */
  private Ticket gradientTicket(Weights at) {
    return new Ticket.Train(
            at,
            Objective.plain(),
            OWN,
            new Optimizer(1, 0, 0),
            0,
            new Ticket.Duration.Steps(1),
            streamKey(TRAININGS_PER_ROUND - 1))
        .ofModel(Ticket.Train.TEMPORARY);
  }

  private StreamKey streamKey(long training) {
    return new StreamKey(
        Purpose.BATCHES,
        context.self().number(),
        roundAttempt.round() * TRAININGS_PER_ROUND + training);
  }

  private Ticket.Train trainingTicket(Weights from, long number, Ticket.Duration duration) {
    return new Ticket.Train(
        from,
        Objective.plain(),
        OWN,
        context.training().optimizerAt(roundAttempt.round()),
        context.training().batch(),
        duration,
        streamKey(number));
  }

  private void computeFeature() {
    Weights start = global.orElseThrow();
    if (method.feature().isTrained()) {
      compute(
          Phase.TRAINING_FEATURE,
          trainingTicket(start, 0, new Ticket.Duration.Epochs(method.featureEpochs()))
              .ofModel(method.start() == Hfl.Start.FEATURE ? 0 : Ticket.Train.TEMPORARY));
    } else if (method.feature() == Hfl.Feature.PREDICTION && draftReport.featureRow().size() == 0) {
      compute(Phase.PREDICTING, new Ticket.Outputs(Mixture.of(start), OWN));
    } else {
      compute(
          Phase.TRAINING_FEATURE,
          trainingTicket(start, 0, new Ticket.Duration.Steps(PROBE_STEPS))
              .ofModel(Ticket.Train.TEMPORARY));
    }
  }

  void computed(long number, Result result) {
    if (phase == Phase.MIXING) {
      if (number == roundAttempt.round() && result instanceof Result.Mixed(Weights weights)) {
        new HeadStep(this).averaged(weights);
      }
      return;
    }
    if (number != ticket) {
      return;
    }
    switch (result) {
      case Result.Trained trained when phase == Phase.MEASURING_GRADIENT ->
          gradientMeasured(trained);
      case Result.Trained trained when phase == Phase.TRAINING_FEATURE -> featureTrained(trained);
      case Result.Outputs outputs when phase == Phase.PREDICTING -> predicted(outputs);
      case Result.Answered(ExtractFeature.Feature feature) when phase == Phase.EXTRACTING_FEATURE ->
          sendReport(feature.direction(), feature.row());
      case Result.Trained trained when phase == Phase.TRAINING -> trained(trained.weights());
      default -> {}
    }
  }

  private void gradientMeasured(Result.Trained trained) {
    Weights start = global.orElseThrow();
    float[] gradient = new float[start.size()];
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] = start.get(i) - trained.weights().get(i);
    }
    Weights gradientWeights = Weights.wrap(start.layout(), gradient);
    draftReport =
        ClientReportBuilder.from(draftReport)
            .lossGradient(
                gradientWeights.isFinite() && Double.isFinite(trained.loss())
                    ? Optional.of(new ClientReport.LossGradient(trained.loss(), gradientWeights))
                    : Optional.empty())
            .build();
    computeFeature();
  }

  private void predicted(Result.Outputs outputs) {
    int width = outputs.width();
    int rows = outputs.values().size() / Math.max(1, width);
    double[] sums = new double[width];
    for (int i = 0; i < rows * width; i++) {
      sums[i % width] += outputs.values().get(i);
    }
    float[] means = new float[width];
    for (int i = 0; i < width; i++) {
      means[i] = (float) (sums[i] / Math.max(1, rows));
    }
    draftReport =
        withFeature(
            draftReport, draftReport.trainingSeconds(), Optional.empty(), Floats.wrap(means));
    computeFeature();
  }

  private static ClientReport withFeature(
      ClientReport report, double seconds, Optional<Weights> direction, Floats row) {
    return ClientReportBuilder.from(report)
        .trainingSeconds(seconds)
        .direction(direction)
        .featureRow(row)
        .build();
  }

  /** The training time is known now, and for trained features the direction. */
  private void featureTrained(Result.Trained trained) {
    boolean full = method.feature().isTrained();
    int made = full ? stepsIn(method.featureEpochs()) : PROBE_STEPS;
    double seconds =
        Ticks.toSeconds(tick - workStartTick) / Math.max(1, made) * draftReport.steps();
    draftReport =
        withFeature(draftReport, seconds, draftReport.direction(), draftReport.featureRow());
    if (!full) {
      sendReport(
          Optional.empty(),
          method.feature() == Hfl.Feature.SKEW ? labelCounts() : draftReport.featureRow());
      return;
    }
    model = Optional.of(trained.weights());
    Weights before = global.orElseThrow();
    List<String> layers =
        method.feature() == Hfl.Feature.CROP
            ? ExtractFeature.layers(before.layout(), method.crop())
            : List.of();
    compute(
        Phase.EXTRACTING_FEATURE,
        new Ticket.Call(new ExtractFeature(before, trained.weights(), layers)));
  }

  private Floats labelCounts() {
    float[] counts = new float[context.labelCounts().size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = context.labelCounts().get(i);
    }
    return Floats.wrap(counts);
  }

  private void sendReport(Optional<Weights> direction, Floats row) {
    phase = Phase.IDLE;
    draftReport = withFeature(draftReport, draftReport.trainingSeconds(), direction, row);
    send(context.server(), new HflMessage.SubmitReport(roundAttempt, draftReport, 0));
  }

  boolean assignmentReceived(HflMessage.Assignment assignment) {
    if (!assignment.roundAttempt().equals(roundAttempt)
        || membership.isPresent()
        || global.isEmpty()
        || phase != Phase.IDLE
        || assignment.rounds() < 1) {
      return false;
    }
    boolean leads = assignment.head().equals(context.self());
    membership =
        Optional.of(
            new Membership(
                assignment.cluster(), assignment.head(), assignment.rounds(), 0, Optional.empty()));
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
    membership = Optional.of(MembershipBuilder.from(now).step(step).build());
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
      send(now.head(), new HflMessage.Update(roundAttempt, now.step(), weights, 0));
    }
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
      }
      train(next.weights(), next.step());
    }
    return wanted;
  }

  /** Whether a message belongs to the cluster that this client leads in this round attempt. */
  private boolean isForMyCluster(PeerId from, HflMessage message) {
    return message.roundAttempt().equals(roundAttempt)
        && membership.flatMap(Membership::headState).isPresent()
        && !from.equals(context.self());
  }

  boolean behindReceived(PeerId from, HflMessage.Behind behind) {
    return isForMyCluster(from, behind) && new HeadStep(this).answeredLate(from);
  }

  boolean updateReceived(PeerId from, HflMessage.Update update) {
    if (!isForMyCluster(from, update)) {
      return false;
    }
    HeadStep head = new HeadStep(this);
    // A message that had to be sent again is late because of its connection, not of its sender.
    boolean excused = update.attempt() > 0;
    if (membership().step() == update.step()
        && isCompatible(update.weights())
        && head.isAwaited(from)) {
      head.modelReceived(from, update.weights(), excused);
      return true;
    }
    return !excused && head.answeredLate(from);
  }

  void sendFailed(PeerId to, Message message) {
    if (!(message instanceof HflMessage about) || !about.roundAttempt().equals(roundAttempt)) {
      return;
    }
    switch (about) {
      case HflMessage.SubmitReport(RoundAttempt of, ClientReport report, int attempt)
          when attempt < RETRIES ->
          send(to, new HflMessage.SubmitReport(of, report, attempt + 1));
      case HflMessage.Update(RoundAttempt of, int step, Weights weights, int attempt)
          when attempt < RETRIES
              && membership.isPresent()
              && membership.get().step() == step
              && phase == Phase.IDLE ->
          send(to, new HflMessage.Update(of, step, weights, attempt + 1));
      case HflMessage.Outcome outcome when outcome.attempt() < RETRIES ->
          send(to, OutcomeBuilder.from(outcome).attempt(outcome.attempt() + 1).build());
      case HflMessage.ClusterModel model
          when membership.flatMap(Membership::headState).isPresent()
              && membership.get().step() == model.step() ->
          new HeadStep(this).memberUnreachable(to);
      default -> {}
    }
  }

  void timerFired(Timer timer) {
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

  PeerContext context() {
    return context;
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
  long setTimer(long ticks) {
    ticket--;
    effects.add(new Effect.SetTimer(new Timer("step", ticket), Math.max(1, ticks)));
    return ticket;
  }

  /** Averages; the ticket number is the round, from which observers derive staleness. */
  void mix(Mixture mixture) {
    phase = Phase.MIXING;
    effects.add(new Effect.Compute(roundAttempt.round(), new Ticket.Mix(mixture)));
  }

  void sendClusterModel(PeerId member, int step, Weights weights) {
    send(member, new HflMessage.ClusterModel(roundAttempt, step, weights));
  }

  /** Sends the final model of the cluster. */
  void sendOutcome(Weights weights, List<PeerId> from, List<PeerId> slow) {
    phase = Phase.IDLE;
    send(
        context.server(),
        new HflMessage.Outcome(roundAttempt, membership().cluster(), weights, from, slow, 0));
  }
}
