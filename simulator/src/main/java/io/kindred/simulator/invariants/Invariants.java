package io.kindred.simulator.invariants;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.methods.contract.Conduct;
import io.kindred.methods.contract.Method;
import io.kindred.methods.hfl.Hfl;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Several step listeners as one; {@link #of} gives the checkers that every method runs under. */
public record Invariants(List<StepListener> listeners) implements StepListener {
  public Invariants {
    listeners = List.copyOf(listeners);
  }

  /**
   * Every checker that is independent of the method.
   *
   * @param peers number of peers, a server not counted
   * @param staleness how many rounds old a model may be when it is mixed
   */
  public static Invariants all(int peers, int staleness) {
    return all(peers, staleness, Conduct.Hostility.NONE);
  }

  private static Invariants all(int peers, int staleness, Conduct.Hostility hostility) {
    DeliveredModels delivered = new DeliveredModels();
    return new Invariants(
        List.of(
            delivered,
            new OnlyReceivedModelsAreMixed(delivered),
            new NothingMixedTwice(delivered, peers),
            new MassIsConserved(delivered, hostility),
            new OnlyNeighboursAreWeighed(delivered),
            new NothingFromTheFuture(),
            new NobodyActsWhileGone(peers),
            new TransfersAddUp(),
            new BoundedQueue(peers),
            new BoundedStaleness(staleness, hostility),
            new FiniteWeights(),
            new MixturesSumToOne(),
            new RoundsGoForward(hostility),
            new NothingAggregatedTwice(),
            new OldTermsAreFenced(),
            new TrainedModelsAreMixed(delivered),
            new OnlyOwnWorkReturns(),
            new ShufflesDiffer(),
            new ModelsChange(peers),
            new LearningGoesOn(peers)));
  }

  /** Every checker, and the checker of the work that a method declares. */
  public static Invariants of(Method method, int peers) {
    return of(method, Conduct.HONEST, peers, peer -> -1);
  }

  /**
   * The same for peers with a rule of mixing, or with hostile peers among them; also checks the
   * numbers of samples that peers report.
   *
   * @param samples number of training samples of each peer, negative where it is not known
   */
  public static Invariants of(Method method, Conduct conduct, int peers, IntUnaryOperator samples) {
    DeliveredModels delivered = new DeliveredModels();
    Invariants checkers =
        all(peers, method.staleness(), conduct.hostility())
            .with(delivered)
            .with(new WeightsAsDeclared(delivered, peers, samples))
            .with(new OnlyDeclaredWork(conduct.ticketKinds(method)));
    if (method.hasServer()) {
      checkers = checkers.with(new ClientsFollowServer());
    }
    return method instanceof Hfl hfl && hfl.standby().leaseSeconds() > 0
        ? checkers.with(new CoordinatorIsReplaced(peers, hfl.standby().leaseSeconds()))
        : checkers;
  }

  /** These listeners and one more. */
  public Invariants with(StepListener other) {
    List<StepListener> more = new ArrayList<>(listeners);
    more.add(other);
    return new Invariants(more);
  }

  @Override
  public void sent(Transfer transfer, long tick) {
    listeners.forEach(each -> each.sent(transfer, tick));
  }

  @Override
  public void lost(Transfer transfer, long tick) {
    listeners.forEach(each -> each.lost(transfer, tick));
  }

  @Override
  public void arrived(Transfer transfer, long tick) {
    listeners.forEach(each -> each.arrived(transfer, tick));
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    listeners.forEach(each -> each.stepped(tick, peer, event, step));
  }

  @Override
  public void faultOccurred(FaultEvent fault) {
    listeners.forEach(each -> each.faultOccurred(fault));
  }

  @Override
  public void queued(int entries) {
    listeners.forEach(each -> each.queued(entries));
  }
}
