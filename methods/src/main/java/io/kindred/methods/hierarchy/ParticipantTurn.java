package io.kindred.methods.hierarchy;

import io.kindred.core.Effect;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.Timer;
import io.kindred.core.peer.Step;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.PeerContext;
import io.kindred.methods.hierarchy.HflState.Client;
import io.kindred.methods.hierarchy.HflState.Duty;
import io.kindred.methods.hierarchy.HflState.Membership;
import io.kindred.methods.hierarchy.HflState.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** One step of a client, from the state that it finds to the one that it leaves. */
final class ParticipantTurn {
  /** How often something that did not arrive is sent once more. */
  private static final int RETRIES = 5;

  /** Steps by which a client that need not train for its feature finds out how fast it is. */
  private static final int PROBE_STEPS = 5;

  /** A round's trainings draw from streams of their own. */
  private static final long TRAININGS_A_ROUND = 10_000;

  private static final DataView OWN = DataView.own(DataView.Split.TRAIN);

  private final Hfl method;
  private final PeerContext context;
  private final long tick;
  private final List<Effect> effects = new ArrayList<>();
  private Session session;
  private Phase phase;
  private Optional<Weights> model;
  private Optional<Weights> global;
  private List<PeerId> neighbours;
  private final SortedMap<PeerId, Double> links;
  private long ticket;
  private long sinceTick;
  private Report draft;
  private Optional<Membership> membership;

  ParticipantTurn(Participant machine, Client state, long tick) {
    method = machine.method();
    context = machine.context();
    this.tick = tick;
    session = state.session();
    phase = state.phase();
    model = state.model();
    global = state.global();
    neighbours = state.neighbours();
    links = new TreeMap<>(state.links());
    ticket = state.ticket();
    sinceTick = state.sinceTick();
    draft = state.draft();
    membership = state.membership();
  }

  Step<HflState> end() {
    return new Step<>(
        new Client(
            session, phase, model, global, neighbours, links, ticket, sinceTick, draft, membership),
        effects);
  }

  void surroundedBy(List<PeerId> now) {
    neighbours = List.copyOf(now);
  }

  void measured(PeerId peer, double bytesPerSecond) {
    links.put(peer, bytesPerSecond);
  }

  /** Leaves whatever it was doing. */
  void quit() {
    phase = Phase.IDLE;
    membership = Optional.empty();
  }

  void count(String what) {
    effects.add(new Effect.Observe(new Observation.Counted(what)));
  }

  private void send(PeerId to, Message message) {
    effects.add(new Effect.Send(to, message));
  }

  /** Numbers below zero, because those from zero on are rounds, which mixing goes by. */
  private void compute(Phase next, Ticket work) {
    phase = next;
    ticket--;
    sinceTick = tick;
    effects.add(new Effect.Compute(ticket, work));
  }

  boolean begin(HflMessage.Begin begin) {
    if (!begin.session().isAfter(session)
        || begin.session().round() > context.rounds()
        || !fits(begin.model())) {
      return false;
    }
    session = begin.session();
    membership = Optional.empty();
    global = Optional.of(begin.model());
    model = global;
    draft =
        new Report(
            context.self(),
            context.samples(),
            0,
            stepsOf(context.training().epochs()),
            throughputs(),
            Optional.empty(),
            Floats.of(),
            Optional.empty());
    if (method.mismatch()) {
      compute(Phase.SLOPE, slope(begin.model()));
    } else {
      takeFeature();
    }
    return true;
  }

  private boolean fits(Weights weights) {
    return weights.layout().equals(context.initialWeights().apply(0).layout())
        && weights.isFinite();
  }

  /** A neighbour of whom nothing is known is as good as any. */
  private List<Report.Throughput> throughputs() {
    return neighbours.stream()
        .map(
            peer -> new Report.Throughput(peer, links.getOrDefault(peer, Double.POSITIVE_INFINITY)))
        .toList();
  }

  private int stepsOf(int epochs) {
    int batch = context.training().batch();
    int perEpoch = batch == 0 ? 1 : (context.samples() + batch - 1) / batch;
    return epochs * perEpoch;
  }

  /** One step of size one on all samples at once: what it changes is the gradient. */
  private Ticket slope(Weights at) {
    return new Ticket.Train(
        at,
        Objective.plain(),
        OWN,
        new Optimizer(1, 0, 0),
        0,
        new Ticket.Duration.Steps(1),
        key(TRAININGS_A_ROUND - 1));
  }

  private StreamKey key(long training) {
    return new StreamKey(
        Purpose.BATCHES, context.self().number(), session.round() * TRAININGS_A_ROUND + training);
  }

  private Ticket training(Weights from, long number, Ticket.Duration duration) {
    return new Ticket.Train(
        from,
        Objective.plain(),
        OWN,
        context.training().optimizerAt(session.round()),
        context.training().batch(),
        duration,
        key(number));
  }

  private void takeFeature() {
    Weights start = global.orElseThrow();
    if (method.feature().isTrained()) {
      compute(
          Phase.FEATURE, training(start, 0, new Ticket.Duration.Epochs(method.featureEpochs())));
    } else if (method.feature() == Hfl.Feature.PREDICTION && draft.row().size() == 0) {
      compute(Phase.PREDICTING, new Ticket.Outputs(Mixture.of(start), OWN));
    } else {
      compute(Phase.FEATURE, training(start, 0, new Ticket.Duration.Steps(PROBE_STEPS)));
    }
  }

  void computed(long number, Result result) {
    if (phase == Phase.MIXING) {
      if (number == session.round() && result instanceof Result.Mixed(Weights weights)) {
        new HeadTurn(this).averaged(weights);
      }
      return;
    }
    if (number != ticket) {
      return;
    }
    switch (result) {
      case Result.Trained trained when phase == Phase.SLOPE -> sloped(trained);
      case Result.Trained trained when phase == Phase.FEATURE -> prepared(trained);
      case Result.Outputs outputs when phase == Phase.PREDICTING -> predicted(outputs);
      case Result.Answered(TakeFeature.Feature feature) when phase == Phase.TAKING ->
          tell(feature.direction(), feature.row());
      case Result.Trained trained when phase == Phase.TRAINING -> trained(trained.weights());
      default -> {}
    }
  }

  private void sloped(Result.Trained trained) {
    Weights start = global.orElseThrow();
    float[] gradient = new float[start.size()];
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] = start.get(i) - trained.weights().get(i);
    }
    Weights slope = Weights.wrap(start.layout(), gradient);
    draft =
        new Report(
            draft.from(),
            draft.samples(),
            draft.seconds(),
            draft.steps(),
            draft.links(),
            draft.direction(),
            draft.row(),
            slope.isFinite() && Double.isFinite(trained.loss())
                ? Optional.of(new Report.Slope(trained.loss(), slope))
                : Optional.empty());
    takeFeature();
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
    draft = with(draft, draft.seconds(), Optional.empty(), Floats.wrap(means));
    takeFeature();
  }

  private static Report with(
      Report report, double seconds, Optional<Weights> direction, Floats row) {
    return new Report(
        report.from(),
        report.samples(),
        seconds,
        report.steps(),
        report.links(),
        direction,
        row,
        report.slope());
  }

  /** It knows now how long training takes, and maybe where it leads. */
  private void prepared(Result.Trained trained) {
    boolean full = method.feature().isTrained();
    int made = full ? stepsOf(method.featureEpochs()) : PROBE_STEPS;
    double seconds = Ticks.toSeconds(tick - sinceTick) / Math.max(1, made) * draft.steps();
    draft = with(draft, seconds, draft.direction(), draft.row());
    if (!full) {
      tell(Optional.empty(), method.feature() == Hfl.Feature.SKEW ? labels() : draft.row());
      return;
    }
    model = Optional.of(trained.weights());
    Weights before = global.orElseThrow();
    List<String> layers =
        method.feature() == Hfl.Feature.CROP
            ? TakeFeature.layers(before.layout(), method.crop())
            : List.of();
    compute(Phase.TAKING, new Ticket.Call(new TakeFeature(before, trained.weights(), layers)));
  }

  private Floats labels() {
    float[] counts = new float[context.labelCounts().size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = context.labelCounts().get(i);
    }
    return Floats.wrap(counts);
  }

  private void tell(Optional<Weights> direction, Floats row) {
    phase = Phase.IDLE;
    draft = with(draft, draft.seconds(), direction, row);
    send(context.server(), new HflMessage.Told(session, draft, 0));
  }

  boolean assigned(HflMessage.Assignment assignment) {
    if (!assignment.session().equals(session)
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
      new HeadTurn(this).takeUp(assignment.members());
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
        Optional.of(new Membership(now.cluster(), now.head(), now.rounds(), step, now.duty()));
    compute(
        Phase.TRAINING,
        training(from, 1L + step, new Ticket.Duration.Epochs(context.training().epochs())));
  }

  private void trained(Weights weights) {
    Membership now = membership.orElseThrow();
    phase = Phase.IDLE;
    if (now.step() == now.rounds() - 1) {
      effects.add(
          new Effect.Observe(
              new Observation.Measured(
                  session.round(), Observation.Measured.CLUSTER, now.cluster())));
      effects.add(
          new Effect.Observe(
              Observation.Deployed.of(session.round(), Observation.Stage.TRAINED, weights)));
    }
    if (now.duty().isPresent()) {
      new HeadTurn(this).arrives(context.self(), weights);
    } else {
      send(now.head(), new HflMessage.Update(session, now.step(), weights, 0));
    }
  }

  /** The head has averaged; a member that is behind leaves what it was at. */
  boolean goesOn(PeerId from, HflMessage.ClusterModel next) {
    boolean wanted =
        next.session().equals(session)
            && membership.isPresent()
            && membership.get().head().equals(from)
            && next.step() > membership.get().step()
            && next.step() < membership.get().rounds()
            && fits(next.weights());
    if (wanted) {
      train(next.weights(), next.step());
    }
    return wanted;
  }

  boolean takes(PeerId from, HflMessage.Update update) {
    boolean wanted =
        update.session().equals(session)
            && membership.flatMap(Membership::duty).isPresent()
            && membership.get().step() == update.step()
            && fits(update.weights())
            && membership.get().duty().get().awaited().contains(from)
            && !from.equals(context.self());
    if (wanted) {
      new HeadTurn(this).arrives(from, update.weights());
    }
    return wanted;
  }

  void failed(PeerId to, Message message) {
    if (!(message instanceof HflMessage about) || !about.session().equals(session)) {
      return;
    }
    switch (about) {
      case HflMessage.Told(Session of, Report report, int attempt) when attempt < RETRIES ->
          send(to, new HflMessage.Told(of, report, attempt + 1));
      case HflMessage.Update(Session of, int step, Weights weights, int attempt)
          when attempt < RETRIES
              && membership.isPresent()
              && membership.get().step() == step
              && phase == Phase.IDLE ->
          send(to, new HflMessage.Update(of, step, weights, attempt + 1));
      case HflMessage.Outcome outcome when outcome.attempt() < RETRIES ->
          send(
              to,
              new HflMessage.Outcome(
                  session,
                  outcome.cluster(),
                  outcome.weights(),
                  outcome.from(),
                  outcome.slow(),
                  outcome.attempt() + 1));
      case HflMessage.ClusterModel model
          when membership.flatMap(Membership::duty).isPresent()
              && membership.get().step() == model.step() ->
          new HeadTurn(this).gaveUp(to);
      default -> {}
    }
  }

  void fired(Timer timer) {
    if (membership.flatMap(Membership::duty).isPresent()
        && membership.get().duty().get().alarm() == timer.number()) {
      new HeadTurn(this).late();
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

  Session session() {
    return session;
  }

  long tick() {
    return tick;
  }

  /** A head's memory of its cluster, as it is now. */
  void remember(Duty duty) {
    Membership now = membership();
    membership =
        Optional.of(
            new Membership(now.cluster(), now.head(), now.rounds(), now.step(), Optional.of(duty)));
  }

  /** A new timer; earlier ones have other numbers. */
  long alarm(long ticks) {
    ticket--;
    effects.add(new Effect.SetTimer(new Timer("step", ticket), Math.max(1, ticks)));
    return ticket;
  }

  /** Averages; the number of the work is the round, by which others know what is stale. */
  void mix(Mixture mixture) {
    phase = Phase.MIXING;
    effects.add(new Effect.Compute(session.round(), new Ticket.Mix(mixture)));
  }

  void tellMembers(PeerId member, int step, Weights weights) {
    send(member, new HflMessage.ClusterModel(session, step, weights));
  }

  /** The cluster is done. */
  void handIn(Weights weights, List<PeerId> from, List<PeerId> slow) {
    phase = Phase.IDLE;
    send(
        context.server(),
        new HflMessage.Outcome(session, membership().cluster(), weights, from, slow, 0));
  }
}
