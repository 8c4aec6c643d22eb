package io.kindred.simulator.invariants;

import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.Transfer;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A message arrives or is lost only after it was sent, and no more often than it was sent. */
final class TransfersAddUp implements StepListener {
  private record TransferId(int from, long number) implements Comparable<TransferId> {
    @Override
    public int compareTo(TransferId other) {
      return from != other.from
          ? Integer.compare(from, other.from)
          : Long.compare(number, other.number);
    }
  }

  private final Map<TransferId, Integer> inFlight = new TreeMap<>();

  @Override
  public void sent(Transfer transfer, long tick) {
    inFlight.merge(idOf(transfer), 1, Integer::sum);
  }

  @Override
  public void lost(Transfer transfer, long tick) {
    complete(transfer, tick, "is lost");
  }

  @Override
  public void arrived(Transfer transfer, long tick) {
    complete(transfer, tick, "arrives");
  }

  private static TransferId idOf(Transfer transfer) {
    return new TransferId(transfer.from(), transfer.number());
  }

  private void complete(Transfer transfer, long tick, String how) {
    Integer left = inFlight.remove(idOf(transfer));
    if (left == null) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "message %d of peer %d to peer %d %s, but is not in flight",
              transfer.number(),
              transfer.from(),
              transfer.to(),
              how));
    }
    if (left > 1) {
      inFlight.put(idOf(transfer), left - 1);
    }
  }
}
