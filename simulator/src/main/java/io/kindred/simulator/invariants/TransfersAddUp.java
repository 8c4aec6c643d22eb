package io.kindred.simulator.invariants;

import io.kindred.simulator.Inspector;
import io.kindred.simulator.Transfer;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Whatever arrives or is lost was sent, and no more often than it was sent. */
final class TransfersAddUp implements Inspector {
  private record Name(int from, long number) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      return from != other.from
          ? Integer.compare(from, other.from)
          : Long.compare(number, other.number);
    }
  }

  private final Map<Name, Integer> underWay = new TreeMap<>();

  @Override
  public void sent(Transfer transfer, long tick) {
    underWay.merge(nameOf(transfer), 1, Integer::sum);
  }

  @Override
  public void lost(Transfer transfer, long tick) {
    settle(transfer, tick, "is lost");
  }

  @Override
  public void arrived(Transfer transfer, long tick) {
    settle(transfer, tick, "arrives");
  }

  private static Name nameOf(Transfer transfer) {
    return new Name(transfer.from(), transfer.number());
  }

  private void settle(Transfer transfer, long tick, String how) {
    Integer left = underWay.remove(nameOf(transfer));
    if (left == null) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "message %d of peer %d to peer %d %s without being under way",
              transfer.number(),
              transfer.from(),
              transfer.to(),
              how));
    }
    if (left > 1) {
      underWay.put(nameOf(transfer), left - 1);
    }
  }
}
