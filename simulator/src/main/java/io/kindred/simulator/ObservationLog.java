package io.kindred.simulator;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.wire.PeerStateCodec;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.runtime.ObservationListener;
import io.kindred.runtime.RoundCompletion;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.simulator.state.Traffic;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Handles the observations of peers: records finished rounds, times and counts, has states saved,
 * and notifies the listener.
 */
final class ObservationLog {
  /**
   * The peer whose weight vectors are counted; to encode the states of all peers takes too long.
   */
  private static final int COUNTED_PEER = 0;

  private final SimulationSpec spec;
  private final VirtualClock clock;
  private final PeerTable peerTable;
  private final RunStatistics statistics;
  private final SimulationListener listener;

  ObservationLog(
      SimulationSpec spec,
      VirtualClock clock,
      PeerTable peerTable,
      RunStatistics statistics,
      SimulationListener listener) {
    this.spec = spec;
    this.clock = clock;
    this.peerTable = peerTable;
    this.statistics = statistics;
    this.listener = listener;
  }

  void observe(int peer, Observation observation) {
    switch (observation) {
      case Observation.Deployed deployed -> {
        // Not for a round that a peer repeats after losing its state: it was recorded before.
        if (deployed.round() > peerTable.finishedRound(peer)) {
          statistics.traffic().roundObserved(deployed.round(), clock.tick());
        }
        peerTable.saveState(peer);
        if (deployed.audience() == Observation.Audience.EVERYONE) {
          for (int each = 0; each < spec.peers(); each++) {
            recordFinishedRound(each, deployed);
          }
          notifyForEveryPeer(observation);
          return;
        }
        recordFinishedRound(peer, deployed);
        notifyRadioUse(peer, deployed.round());
      }
      case Observation.ClientDeployed(PeerId client, Observation.Deployed deployed) -> {
        int number = (int) client.number();
        if (peerTable.isUp(number)) {
          recordFinishedRound(number, deployed);
          notifyListener(number, deployed);
        }
        return;
      }
      case Observation.Counted counted -> statistics.count(counted.name());
      case Observation.Warned warned -> statistics.count(warned.name());
      case Observation.Contradicted contradicted -> statistics.count(contradicted.name());
      case Observation.Measured measured -> {
        statistics.timeBreakdown().measured(measured);
        // A server's figure describes the model that every peer deploys, so it is reported for
        // every peer.
        if (peer >= spec.peers()) {
          notifyForEveryPeer(observation);
          return;
        }
      }
      case Observation.SearchCompleted _ -> statistics.traffic().searchCompleted();
      case Observation.RoundCompleted _ -> {
        peerTable.saveState(peer);
        return;
      }
      case Observation.ModelsMixed _ -> {
        // A server deploys nothing, so that its mixtures belong to no line.
        if (peer >= spec.peers()) {
          return;
        }
      }
      case Observation.ModelsHeld _, Observation.SamplesClustered _ -> {}
    }
    notifyListener(peer, observation);
  }

  /** Notifies the listener of a peer's radio use up to now, before the model it deploys. */
  private void notifyRadioUse(int peer, int round) {
    if (peer >= spec.peers()) {
      return;
    }
    spec.environment()
        .network()
        .links()
        .radioBlocks()
        .ifPresent(
            radio -> {
              Traffic.Account account = statistics.traffic().account(peer);
              double joules = radio.joules(account.sendingTicks(), account.receivingTicks());
              double airSeconds = Ticks.toSeconds(account.sendingTicks());
              notifyListener(peer, new Observation.Measured(round, "joules", joules));
              notifyListener(peer, new Observation.Measured(round, "airSeconds", airSeconds));
            });
  }

  private void notifyForEveryPeer(Observation observation) {
    for (int each = 0; each < spec.peers(); each++) {
      notifyListener(each, observation);
    }
  }

  private void recordFinishedRound(int peer, Observation.Deployed deployed) {
    RoundCompletion completion = spec.roundCompletion();
    if (completion.finishesRound(deployed)) {
      peerTable.recordFinishedRound(peer, deployed.round());
    }
    if (completion.isRoundModel(deployed)) {
      statistics
          .timeBreakdown()
          .finished(peer, clock.tick(), completion.isLastRound(deployed.round()));
      if (peer == COUNTED_PEER) {
        statistics.timeBreakdown().held(vectorsHeld(peer));
      }
    }
  }

  /** How many different weight vectors a peer's state names. */
  private int vectorsHeld(int peer) {
    SortedSet<Digest> vectors = new TreeSet<>();
    WireOutput out = new WireOutput(each -> vectors.add(each.digest()));
    PeerStateCodec.write(spec.wire(), spec.participants().get(peer), peerTable.state(peer), out);
    return vectors.size();
  }

  private void notifyListener(int peer, Observation observation) {
    Traffic.Account account = statistics.traffic().account(peer);
    listener.observed(
        new ObservationListener.Observed(
            clock.tick(),
            new PeerId(peer),
            observation,
            account.sentControl() + account.sentModel(),
            account.receivedControl() + account.receivedModel(),
            account.modelsReceived()),
        peerTable);
  }
}
