package io.kindred.methods.hierarchy;

import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.Observation;
import io.kindred.core.Observation.Audience;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.Timer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.hierarchy.HflState.Coordinating;
import io.kindred.methods.hierarchy.HflState.Harvest;
import io.kindred.methods.hierarchy.HflState.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects reports, forms clusters, waits for what they learn and averages it. A round in which no
 * cluster can be formed, or none hands in anything, leaves the model as it is.
 */
record Coordinator(Hfl method, PeerContext context) implements Machine<HflState> {
  private static final String BEGIN = "begin";
  private static final String REPORTS = "reports";
  private static final String CLUSTERS = "clusters";

  @Override
  public HflState initial() {
    return new Coordinating(
        Session.NONE,
        Stage.WAITING,
        context.initialWeights().apply(0),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        new TreeMap<>(),
        0,
        0,
        List.of(),
        Optional.empty());
  }

  @Override
  public Step<HflState> step(HflState state, Event event) {
    Turn turn = new Turn(this, (Coordinating) state, event.tick());
    switch (event) {
      case Event.Started _ -> turn.begin(1);
      // What was under way belongs to a session that nobody remembers whole.
      case Event.Restored _ -> turn.begin(turn.session.round() + (turn.isBetween() ? 1 : 0));
      case Event.Received received -> turn.received(received.from(), received.message());
      case Event.SendFailed failed -> turn.failed(failed.to(), failed.message());
      case Event.TimerFired fired -> turn.fired(fired.timer());
      case Event.Computed computed -> turn.computed(computed.ticket(), computed.result());
      case Event.NeighboursChanged _,
          Event.LinkMeasured _,
          Event.LeaveRequested _,
          Event.Told _ -> {}
    }
    return turn.end();
  }

  /** One step, from the state that it finds to the one that it leaves. */
  private static final class Turn {
    private final Hfl method;
    private final PeerContext context;
    private final long tick;
    private final List<Effect> effects = new ArrayList<>();
    private Session session;
    private Stage stage;
    private Weights model;
    private List<PeerId> awaited;
    private List<Report> reports;
    private Optional<FormClusters.Formed> formed;
    private List<Harvest> harvests;
    private final SortedMap<PeerId, Integer> strikes;
    private long stageTick;
    private long featureTicks;
    private List<Long> answers;
    private Optional<Mismatch> lastMismatch;

    Turn(Coordinator machine, Coordinating state, long tick) {
      method = machine.method;
      context = machine.context;
      this.tick = tick;
      session = state.session();
      stage = state.stage();
      model = state.model();
      awaited = new ArrayList<>(state.awaited());
      reports = new ArrayList<>(state.reports());
      formed = state.formed();
      harvests = new ArrayList<>(state.harvests());
      strikes = new TreeMap<>(state.strikes());
      stageTick = state.stageTick();
      featureTicks = state.featureTicks();
      answers = state.answers();
      lastMismatch = state.lastMismatch();
    }

    Step<HflState> end() {
      return new Step<>(
          new Coordinating(
              session,
              stage,
              model,
              List.copyOf(awaited),
              List.copyOf(reports),
              formed,
              List.copyOf(harvests),
              strikes,
              stageTick,
              featureTicks,
              answers,
              lastMismatch),
          effects);
    }

    boolean isBetween() {
      return stage == Stage.WAITING;
    }

    void begin(int round) {
      if (round > context.rounds()) {
        return;
      }
      session = new Session(round, tick);
      reports = new ArrayList<>();
      harvests = new ArrayList<>();
      formed = Optional.empty();
      awaited = new ArrayList<>(context.peers().stream().filter(this::isTrusted).toList());
      enter(Stage.COLLECTING);
      HflMessage.Begin begin = new HflMessage.Begin(session, model);
      awaited.forEach(peer -> effects.add(new Effect.Send(peer, begin)));
      alarm(REPORTS, method.patience().ticks(answers));
      if (awaited.isEmpty()) {
        form();
      }
    }

    private boolean isTrusted(PeerId peer) {
      return method.strikes() == 0 || strikes.getOrDefault(peer, 0) < method.strikes();
    }

    private void enter(Stage next) {
      stage = next;
      stageTick = tick;
    }

    /** Timers are told apart by when their session began, so that old ones do nothing. */
    private void alarm(String name, long ticks) {
      effects.add(new Effect.SetTimer(new Timer(name, session.begunTick()), Math.max(1, ticks)));
    }

    private void count(String what) {
      effects.add(new Effect.Observe(new Observation.Counted(what)));
    }

    void fired(Timer timer) {
      if (timer.number() != session.begunTick()) {
        return;
      }
      if (timer.name().equals(REPORTS) && stage == Stage.COLLECTING) {
        form();
      } else if (timer.name().equals(CLUSTERS) && stage == Stage.LEARNING) {
        average();
      } else if (timer.name().equals(BEGIN) && stage == Stage.WAITING) {
        begin(session.round() + 1);
      }
    }

    void received(PeerId from, Message message) {
      switch (message) {
        case HflMessage.Told(Session of, Report report, int _)
            when stage == Stage.COLLECTING
                && of.equals(session)
                && awaited.contains(from)
                && report.from().equals(from)
                && isSound(report) -> {
          reports.add(report);
          answers = Patience.remember(answers, tick - stageTick);
          without(from);
        }
        case HflMessage.Outcome outcome
            when stage == Stage.LEARNING
                && outcome.session().equals(session)
                && awaited.contains(from)
                && isSound(from, outcome) ->
            harvest(from, outcome);
        default -> count("unexpected-message");
      }
    }

    /** Features have to be of one kind and size, or they could not be compared. */
    private boolean isSound(Report report) {
      return report.isSound()
          && report.direction().isPresent() == (method.feature() == Hfl.Feature.DIFFERENCE)
          && report.direction().map(each -> each.layout().equals(model.layout())).orElse(true)
          && report
              .slope()
              .map(each -> each.gradient().layout().equals(model.layout()))
              .orElse(true)
          && (reports.isEmpty() || reports.getFirst().feature().length == report.feature().length);
    }

    private List<FormClusters.Plan> plans() {
      return formed.map(FormClusters.Formed::plans).orElse(List.of());
    }

    private boolean isSound(PeerId head, HflMessage.Outcome outcome) {
      return outcome.cluster() >= 0
          && outcome.cluster() < plans().size()
          && plans().get(outcome.cluster()).head().equals(head)
          && outcome.weights().layout().equals(model.layout())
          && outcome.weights().isFinite();
    }

    private void harvest(PeerId head, HflMessage.Outcome outcome) {
      FormClusters.Plan plan = plans().get(outcome.cluster());
      double share =
          plan.members().stream()
              .filter(member -> outcome.from().contains(member.peer()))
              .mapToDouble(FormClusters.Member::share)
              .sum();
      harvests.add(new Harvest(outcome.cluster(), outcome.weights(), share));
      for (FormClusters.Member member : plan.members()) {
        if (outcome.slow().contains(member.peer())) {
          strikes.merge(member.peer(), 1, Integer::sum);
          count("slow-client");
        }
      }
      without(head);
    }

    void failed(PeerId to, Message message) {
      boolean asked =
          switch (message) {
            case HflMessage.Begin begin ->
                stage == Stage.COLLECTING && begin.session().equals(session);
            case HflMessage.Assignment assignment ->
                stage == Stage.LEARNING && assignment.session().equals(session);
            default -> false;
          };
      if (asked) {
        without(to);
      }
    }

    /** Nobody waits for this one any more. */
    private void without(PeerId peer) {
      if (awaited.remove(peer) && awaited.isEmpty()) {
        if (stage == Stage.COLLECTING) {
          form();
        } else {
          average();
        }
      }
    }

    private void form() {
      awaited = new ArrayList<>();
      reports.sort(Comparator.comparing(Report::from));
      featureTicks = tick - stageTick;
      enter(Stage.FORMING);
      effects.add(
          new Effect.Compute(
              session.round(),
              new Ticket.Call(
                  new FormClusters(
                      method.clusters(),
                      reports,
                      method.feature() == Hfl.Feature.SKEW,
                      model.bytes(),
                      method.globalSeconds(),
                      method.weights() == Hfl.Weighting.EQUAL,
                      context.training().optimizerAt(session.round()).learningRate(),
                      context.streams().seed(),
                      session.round()))));
    }

    void computed(long ticket, Result result) {
      if (ticket != session.round()) {
        return;
      }
      switch (result) {
        case Result.Answered(FormClusters.Formed answer) when stage == Stage.FORMING ->
            learn(answer);
        case Result.Mixed(Weights weights) when stage == Stage.AVERAGING -> deploy(weights);
        default -> {}
      }
    }

    private void learn(FormClusters.Formed answer) {
      answer.liars().forEach(liar -> count("links-contradicted"));
      reports = new ArrayList<>();
      if (answer.problem().isPresent()) {
        count("no-clustering");
        deploy(model);
        return;
      }
      formed = Optional.of(answer);
      enter(Stage.LEARNING);
      double longest = 0;
      for (int cluster = 0; cluster < plans().size(); cluster++) {
        FormClusters.Plan plan = plans().get(cluster);
        awaited.add(plan.head());
        longest = Math.max(longest, plan.rounds() * plan.longest());
        assign(cluster, plan);
      }
      alarm(
          CLUSTERS, method.patience().ticks(List.of()) + Ticks.ofSeconds(method.slow() * longest));
    }

    /** The head first: others may be faster than it. */
    private void assign(int cluster, FormClusters.Plan plan) {
      effects.add(
          new Effect.Send(
              plan.head(),
              new HflMessage.Assignment(
                  session, cluster, plan.head(), plan.rounds(), plan.members())));
      HflMessage.Assignment others =
          new HflMessage.Assignment(session, cluster, plan.head(), plan.rounds(), List.of());
      for (FormClusters.Member member : plan.members()) {
        if (!member.peer().equals(plan.head())) {
          effects.add(new Effect.Send(member.peer(), others));
        }
      }
    }

    private void average() {
      awaited = new ArrayList<>();
      double total = harvests.stream().mapToDouble(Harvest::share).sum();
      if (harvests.size() < plans().size()) {
        count("cluster-missing");
      }
      if (!(total > 0)) {
        deploy(model);
        return;
      }
      enter(Stage.AVERAGING);
      harvests.sort(Comparator.comparingInt(Harvest::cluster));
      List<Part> parts =
          harvests.stream().map(each -> new Part(each.weights(), each.share() / total)).toList();
      effects.add(new Effect.Compute(session.round(), new Ticket.Mix(new Mixture(parts))));
    }

    private void measure(String name, double value) {
      effects.add(new Effect.Observe(new Observation.Measured(session.round(), name, value)));
    }

    private void deploy(Weights weights) {
      report();
      model = weights;
      effects.add(
          new Effect.Observe(
              new Observation.Deployed(
                  session.round(),
                  Observation.Stage.MIXED,
                  new Predictor.Single(weights),
                  Audience.EVERYONE)));
      formed = Optional.empty();
      harvests = new ArrayList<>();
      enter(Stage.WAITING);
      if (session.round() >= context.rounds()) {
        return;
      }
      long period = Ticks.ofSeconds(method.periodSeconds());
      if (period == 0) {
        begin(session.round() + 1);
      } else {
        alarm(BEGIN, period - tick % period);
      }
    }

    /** What the round came to; figures of clusters are means over them. */
    private void report() {
      if (formed.isEmpty()) {
        return;
      }
      FormClusters.Formed was = formed.get();
      int count = was.plans().size();
      measure("featureSeconds", Ticks.toSeconds(featureTicks));
      measure("clusters", count);
      measure("theta", was.plans().stream().mapToDouble(FormClusters.Plan::angle).sum() / count);
      measure("thetaBefore", was.angleBefore());
      measure(
          "roundTime", was.plans().stream().mapToDouble(FormClusters.Plan::seconds).sum() / count);
      measure("roundTimeBefore", was.secondsBefore());
      measure(
          "clusterRounds",
          was.plans().stream().mapToInt(FormClusters.Plan::rounds).sum() / (double) count);
      was.mismatch()
          .ifPresent(
              now -> {
                measure("clusterMismatch", now.clusterGlobal());
                measure("clusterMismatchMost", now.clusterGlobalMost());
                measure("clientMismatch", now.clientCluster());
                measure("clientMismatchMost", now.clientClusterMost());
                lastMismatch.ifPresent(
                    before ->
                        measure("descent", 2 / before.weight() * (before.loss() - now.loss())));
              });
      lastMismatch = was.mismatch();
    }
  }
}
