package io.kindred.methods.hfl;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hfl.HflState.ClientState;
import io.kindred.methods.hfl.HflState.CoordinatorState;
import io.kindred.methods.hfl.HflState.ParticipantState;
import io.kindred.methods.hfl.formation.EnergySettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One step of a participant: hands events to its client and its coordinator, and messages between
 * these two without a network. It fences coordinators by their terms: the participant follows the
 * newest term that it knows, and tells a coordinator of an older one about it.
 */
final class ParticipantStep {
  private static final String LEASE = "lease";

  /** Tickets of a client that coordinates are below all tickets of its client. */
  private static final long COORDINATOR_TICKETS = Long.MIN_VALUE;

  private static final long TICKETS_PER_TERM = 1_000_000;

  private final HflMachine machine;
  private final long tick;
  private final List<Effect> effects = new ArrayList<>();
  private final Deque<Message> ownMessages = new ArrayDeque<>();
  private Optional<ClientState> client;
  private Optional<CoordinatorState> coordinator;
  private StandbyState standby;
  private double spentJoules;

  ParticipantStep(HflMachine machine, ParticipantState state, long tick) {
    this.machine = machine;
    this.tick = tick;
    client = state.client();
    coordinator = state.coordinator();
    standby = state.standby();
    spentJoules = state.spentJoules();
  }

  Step<HflState> toStep() {
    return new Step<>(new ParticipantState(client, coordinator, standby, spentJoules), effects);
  }

  void handle(Event event) {
    switch (event) {
      case Event.Started started -> {
        stepClient(step -> step.setNeighbours(started.neighbours()));
        begin(step -> step.beginRound(1));
      }
      case Event.Restored restored -> {
        // A client that was down no longer takes part in the round, as a head or as a member.
        stepClient(
            step -> {
              step.abandonRound();
              step.setNeighbours(restored.neighbours());
            });
        // The state of the interrupted attempt is incomplete, so its round begins again.
        begin(CoordinatorStep::beginRoundAgain);
      }
      case Event.NeighboursChanged changed ->
          stepClient(step -> step.setNeighbours(changed.neighbours()));
      case Event.LinkMeasured link ->
          stepClient(step -> step.links().measured(link.peer(), link.bytesPerSecond()));
      case Event.Received received -> received(received.from(), received.message());
      case Event.SendFailed failed -> sendFailed(failed.to(), failed.message());
      case Event.TimerFired fired -> timerFired(fired.timer());
      case Event.Computed computed -> computed(computed.ticket(), computed.result());
      case Event.LeaveRequested _, Event.Notified _ -> {}
    }
    while (!ownMessages.isEmpty()) {
      received(self(), ownMessages.remove());
    }
  }

  private void begin(Consumer<CoordinatorStep> coordinatorBegins) {
    new StandbyStep(this).startWatching();
    if (isCoordinator()) {
      stepCoordinator(coordinatorBegins);
      setLeaseTimer();
    } else {
      askForModel();
    }
  }

  /**
   * The final model may have been sent while this participant was down. A coordinator does not send
   * it again to a server that it could not reach, so a server that was replaced asks until it has
   * it.
   */
  private void askForModel() {
    if (client.isPresent()) {
      stepClient(ClientStep::askForModel);
    } else if (!standby.relieved()) {
      send(coordinatorId(), new HflMessage.AskForModel());
      setTimer(ClientStep.ASK, 0, machine.method().standby().renewalTicks());
    }
  }

  private EnergySettings energy() {
    return machine.method().clusters().heads().energy();
  }

  private void received(PeerId from, Message message) {
    if (message instanceof HflMessage about && !from.equals(self())) {
      spentJoules += energy().ofReceiving(about.modelBytes());
    }
    if (!(message instanceof HflMessage about) || !isExpected(from, about)) {
      count("unexpected-message");
    }
  }

  private boolean isExpected(PeerId from, HflMessage message) {
    return switch (message) {
      case HflMessage.Begin begin -> fromCoordinator(from, begin, step -> step.beginRound(begin));
      case HflMessage.Assignment assignment ->
          fromCoordinator(from, assignment, step -> step.assignmentReceived(assignment));
      case HflMessage.Lease lease -> fromCoordinator(from, lease, step -> true);
      case HflMessage.FinalModel last -> finalModelReceived(from, last);
      case HflMessage.SubmitReport _, HflMessage.Outcome _, HflMessage.RegionOutcome _ ->
          forCoordinator(from, message);
      case HflMessage.AskForModel _ -> modelAskedFor(from);
      case HflMessage.NewerTerm newer -> newerTermReceived(newer.roundAttempt().term());
      case HflMessage.VoteRequest request -> new StandbyStep(this).voteRequested(from, request);
      case HflMessage.Vote vote -> new StandbyStep(this).voteReceived(from, vote);
      case HflMessage.ClusterModel model ->
          clientDoes(step -> step.clusterModelReceived(from, model));
      case HflMessage.Update update ->
          clientDoes(step -> new HeadStep(step).updateReceived(from, update));
      case HflMessage.RegionUpdate update ->
          clientDoes(step -> new RegionStep(step).updateReceived(from, update));
      case HflMessage.RegionModel model ->
          clientDoes(step -> new RegionStep(step).modelReceived(from, model));
      case HflMessage.Behind behind ->
          clientDoes(step -> new HeadStep(step).behindReceived(from, behind));
      case HflMessage.TakeOver takeOver ->
          clientDoes(step -> new DeputyStep(step).takenOver(from, takeOver));
      case HflMessage.ClusterDone done ->
          clientDoes(step -> new DeputyStep(step).clusterDone(from, done));
    };
  }

  /** A message that only the coordinator of its term may send; that of an older term is fenced. */
  private boolean fromCoordinator(PeerId from, HflMessage message, Predicate<ClientStep> work) {
    long term = message.roundAttempt().term();
    if (!mayLead(from, term)) {
      return false;
    }
    if (isOfOlderTerm(message)) {
      fence(from);
      return true;
    }
    adopt(term);
    new StandbyStep(this).heard();
    return clientDoes(work);
  }

  private boolean mayLead(PeerId from, long term) {
    return from.equals(machine.succession().coordinator(term))
        && (term == 0 || machine.method().standby().isOn());
  }

  /** Tells the coordinator of an older term, or a client that follows it, about the newer term. */
  private void fence(PeerId other) {
    count("older-term");
    send(other, new HflMessage.NewerTerm(new RoundAttempt(standby.term(), 0, -1)));
  }

  /** Follows the coordinator of a newer term. */
  private void adopt(long term) {
    if (term <= standby.term()) {
      return;
    }
    standby = StandbyStateBuilder.from(standby).term(term).candidacy(Optional.empty()).build();
    if (isCoordinator()) {
      coordinator = Optional.empty();
      warn(
          "coordinator-deposed",
          coordinatorId() + " has replaced this coordinator (term " + term + ")");
    }
    stepClient(
        step -> {
          step.abandonRound();
          step.forgetAsked();
        });
  }

  private boolean newerTermReceived(long term) {
    if (machine.method().standby().isOn() && term > standby.term()) {
      adopt(term);
      new StandbyStep(this).heard();
      askForModel();
    }
    return machine.method().standby().isOn();
  }

  /** A report or an outcome; its sender may not know yet that there is another coordinator. */
  private boolean forCoordinator(PeerId from, HflMessage message) {
    if (isCoordinator()) {
      stepCoordinator(step -> step.received(from, message));
      return true;
    }
    if (isOfOlderTerm(message)) {
      fence(from);
      return true;
    }
    return false;
  }

  private boolean isOfOlderTerm(HflMessage message) {
    return message.roundAttempt().term() < standby.term();
  }

  /** Every client that has finished can answer instead of the coordinator. */
  private boolean modelAskedFor(PeerId from) {
    if (isCoordinator()) {
      stepCoordinator(step -> step.received(from, new HflMessage.AskForModel()));
    } else if (isFinished()) {
      sendFinalModel(from);
    } else if (standby.term() > 0) {
      fence(from);
    }
    return isCoordinator() || machine.method().standby().isOn();
  }

  void sendFinalModel(PeerId to) {
    ClientState finished = client.orElseThrow();
    send(to, new HflMessage.FinalModel(finished.roundAttempt(), finished.global().orElseThrow()));
  }

  private boolean finalModelReceived(PeerId from, HflMessage.FinalModel last) {
    boolean asked =
        machine.method().standby().isOn()
            && (standby.candidacy().isPresent()
                || client.flatMap(ClientState::asked).equals(Optional.of(from)));
    if (asked) {
      return clientDoes(step -> step.finalModelReceived(last));
    }
    if (client.isPresent()) {
      return fromCoordinator(from, last, step -> step.finalModelReceived(last));
    }
    // A server that was replaced has no further duty.
    boolean isFollower = !isCoordinator() && mayLead(from, last.roundAttempt().term());
    if (isFollower) {
      standby = StandbyStateBuilder.from(standby).relieved(true).build();
      effects.add(new Effect.Observe(new Observation.RoundCompleted(machine.context().rounds())));
    }
    return isFollower;
  }

  private void sendFailed(PeerId to, Message message) {
    switch (message) {
      case HflMessage.Begin _, HflMessage.Assignment _, HflMessage.FinalModel _ ->
          stepCoordinator(step -> step.sendFailed(to, message));
      case HflMessage.VoteRequest request ->
          new StandbyStep(this).voterUnreachable(to, request.roundAttempt().term());
      // A report to the coordinator of an older term is of no use any more.
      case HflMessage.SubmitReport report when isOfOlderTerm(report) -> {}
      case HflMessage.Outcome outcome when isOfOlderTerm(outcome) -> {}
      case HflMessage.RegionOutcome outcome when isOfOlderTerm(outcome) -> {}
      default -> stepClient(step -> new FailedSendStep(step).failed(to, message));
    }
  }

  private void timerFired(Timer timer) {
    switch (timer.name()) {
      case LEASE -> renewLease(timer.number());
      case StandbyStep.SILENCE -> new StandbyStep(this).silenceTimerFired(timer.number());
      case StandbyStep.VOTES -> new StandbyStep(this).votesTimerFired(timer.number());
      case ClientStep.ASK -> askForModel();
      case CoordinatorStep.BEGIN,
          CoordinatorStep.REPORTS,
          CoordinatorStep.CLUSTERS,
          CoordinatorStep.RESEND ->
          stepCoordinator(step -> step.timerFired(timer));
      default -> stepClient(step -> step.timerFired(timer));
    }
  }

  private void setLeaseTimer() {
    if (machine.method().standby().isOn()) {
      setTimer(LEASE, standby.term(), machine.method().standby().renewalTicks());
    }
  }

  /** Until all rounds are done. */
  private void renewLease(long term) {
    if (!isCoordinator()
        || term != standby.term()
        || new CoordinatorStep(machine, coordinator.orElseThrow(), tick).isFinished()) {
      return;
    }
    HflMessage.Lease lease = new HflMessage.Lease(coordinator.orElseThrow().roundAttempt());
    for (PeerId peer : machine.coordinatorContext().peers()) {
      if (!peer.equals(self())) {
        send(peer, lease);
      }
    }
    setLeaseTimer();
  }

  /** This client has the votes for the term, and continues with the newest round. */
  void coordinate(StandbyState.Candidacy won) {
    standby =
        StandbyStateBuilder.from(standby)
            .term(won.term())
            .silent(false)
            .candidacy(Optional.empty())
            .build();
    CoordinatorState fresh =
        CoordinatorStep.initial(machine.method(), machine.coordinatorContext(), won.term());
    coordinator =
        Optional.of(
            won.model()
                .map(model -> CoordinatorStateBuilder.from(fresh).model(model).build())
                .orElse(fresh));
    int round = Math.max(1, won.newest().round());
    warn(
        "coordinator-replaced",
        "this client coordinates from round " + round + " on (term " + won.term() + ")");
    stepClient(ClientStep::abandonRound);
    stepCoordinator(step -> step.beginRound(round));
    setLeaseTimer();
  }

  private void computed(long ticket, Result result) {
    if (client.isEmpty()) {
      stepCoordinator(step -> step.computed(ticket, result));
    } else if (ticket >= COORDINATOR_TICKETS / 2) {
      if (result instanceof Result.Trained && ticket == client.get().ticket()) {
        long ticks = tick - client.get().workStartTick();
        spentJoules += energy().ofTraining(Ticks.toSeconds(ticks));
      }
      stepClient(step -> step.computed(ticket, result));
    } else {
      long own = ticket - COORDINATOR_TICKETS;
      if (own / TICKETS_PER_TERM == standby.term()) {
        stepCoordinator(step -> step.computed(own % TICKETS_PER_TERM, result));
      }
    }
  }

  private boolean clientDoes(Predicate<ClientStep> work) {
    if (client.isEmpty()) {
      return false;
    }
    ClientStep step = new ClientStep(machine, coordinatorId(), client.get(), tick, spentJoules);
    boolean wanted = work.test(step);
    client = Optional.of(step.state());
    step.effects().forEach(this::interpret);
    return wanted;
  }

  private void stepClient(Consumer<ClientStep> work) {
    boolean _ =
        clientDoes(
            step -> {
              work.accept(step);
              return true;
            });
  }

  private void stepCoordinator(Consumer<CoordinatorStep> work) {
    if (coordinator.isEmpty()) {
      return;
    }
    CoordinatorStep step = new CoordinatorStep(machine, coordinator.get(), tick);
    work.accept(step);
    coordinator = Optional.of(step.state());
    for (Effect effect : step.effects()) {
      switch (effect) {
        case Effect.Compute(long ticket, Ticket ticketWork) when client.isPresent() ->
            effects.add(
                new Effect.Compute(
                    COORDINATOR_TICKETS + standby.term() * TICKETS_PER_TERM + ticket, ticketWork));
        // The client saves its state when it deploys the model.
        case Effect.Observe(Observation.RoundCompleted _) when client.isPresent() -> {}
        default -> interpret(effect);
      }
    }
  }

  private void interpret(Effect effect) {
    if (effect instanceof Effect.Send(PeerId to, Message message) && to.equals(self())) {
      ownMessages.add(message);
    } else {
      if (effect instanceof Effect.Send(PeerId _, HflMessage sent)) {
        spentJoules += energy().ofSending(sent.modelBytes());
      }
      effects.add(effect);
    }
  }

  void send(PeerId to, Message message) {
    interpret(new Effect.Send(to, message));
  }

  void setTimer(String name, long number, long ticks) {
    effects.add(new Effect.SetTimer(new Timer(name, number), Math.max(1, ticks)));
  }

  void count(String what) {
    effects.add(new Effect.Observe(new Observation.Counted(what)));
  }

  void warn(String name, String text) {
    effects.add(new Effect.Observe(new Observation.Warned(name, text)));
  }

  boolean isCoordinator() {
    return coordinator.isPresent();
  }

  boolean isFinished() {
    return client.map(state -> state.deployedRound() >= machine.context().rounds()).orElse(false);
  }

  private PeerId self() {
    return machine.context().self();
  }

  PeerId coordinatorId() {
    return machine.succession().coordinator(standby.term());
  }

  Optional<ClientState> client() {
    return client;
  }

  StandbyState standby() {
    return standby;
  }

  void setStandby(StandbyState next) {
    standby = next;
  }

  HflMachine machine() {
    return machine;
  }

  long tick() {
    return tick;
  }

  /** Whether weights of another client can be the global model. */
  boolean isModel(Weights weights) {
    return weights.layout().equals(machine.context().initialWeights().apply(0).layout())
        && weights.isFinite();
  }
}
