package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rates of a client's links in bytes a second, measured before and while clusters learn. */
final class MeasuredLinks {
  private final SortedMap<PeerId, Double> rates;

  MeasuredLinks(SortedMap<PeerId, Double> rates) {
    this.rates = new TreeMap<>(rates);
  }

  SortedMap<PeerId, Double> rates() {
    return rates;
  }

  void measured(PeerId peer, double bytesPerSecond) {
    rates.put(peer, bytesPerSecond);
  }

  /** The measured links; the other end may have measured a link that this client has not. */
  List<ClientReport.Throughput> reported(List<PeerId> neighbours) {
    List<ClientReport.Throughput> reported = new ArrayList<>();
    for (PeerId peer : neighbours) {
      Double rate = rates.get(peer);
      if (rate != null) {
        reported.add(new ClientReport.Throughput(peer, rate));
      }
    }
    return reported;
  }

  /**
   * Measures a link by the exchange of two models of the same size: the time from sending one until
   * receiving the other, without the time for which the other end held it. The mean with the
   * measurement before lets the rate follow the link without following every disturbance.
   */
  void exchanged(PeerId peer, long exchangeTicks, long heldTicks, Weights weights) {
    double seconds = Ticks.toSeconds(exchangeTicks - Math.max(0, heldTicks));
    if (heldTicks >= 0 && seconds > 0) {
      rates.merge(peer, 2 * weights.bytes() / seconds, (before, now) -> (before + now) / 2);
    }
  }
}
