package io.kindred.simulator.invariants;

import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.methods.Method;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.Transfer;
import io.kindred.world.Change;
import java.util.ArrayList;
import java.util.List;

/** Several inspectors as one; {@link #of} are the checkers that every method runs under. */
public record Invariants(List<Inspector> inspectors) implements Inspector {
  public Invariants {
    inspectors = List.copyOf(inspectors);
  }

  /**
   * Every checker that needs no method.
   *
   * @param peers how many peers there are, a server not counted
   * @param staleness how many rounds old a model may be when it is mixed
   */
  public static Invariants all(int peers, int staleness) {
    return new Invariants(
        List.of(
            new NothingFromTheFuture(),
            new NobodyActsWhileGone(peers),
            new TransfersAddUp(),
            new BoundedQueue(peers),
            new BoundedStaleness(staleness),
            new FiniteWeights(),
            new MixturesSumToOne(),
            new RoundsGoForward(),
            new NothingAggregatedTwice()));
  }

  /** Every checker, and those of what a method says of itself. */
  public static Invariants of(Method method, int peers) {
    return all(peers, method.staleness()).with(new OnlyDeclaredWork(method.needs()));
  }

  /** These and one more. */
  public Invariants with(Inspector other) {
    List<Inspector> more = new ArrayList<>(inspectors);
    more.add(other);
    return new Invariants(more);
  }

  @Override
  public void sent(Transfer transfer, long tick) {
    inspectors.forEach(each -> each.sent(transfer, tick));
  }

  @Override
  public void lost(Transfer transfer, long tick) {
    inspectors.forEach(each -> each.lost(transfer, tick));
  }

  @Override
  public void arrived(Transfer transfer, long tick) {
    inspectors.forEach(each -> each.arrived(transfer, tick));
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    inspectors.forEach(each -> each.stepped(tick, peer, event, step));
  }

  @Override
  public void changed(Change change) {
    inspectors.forEach(each -> each.changed(change));
  }

  @Override
  public void queued(int entries) {
    inspectors.forEach(each -> each.queued(entries));
  }
}
