package io.kindred.simulator;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.runtime.ObservationListener;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.simulator.state.Traffic;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Handles the observations of peers: records finished rounds, times and counts, has states saved,
 * and notifies the listener.
 */
final class ObservationLog {
  private final Simulation simulation;
  private final SimulationSpec spec;
  private final SimulationListener listener;
  private final PeerTable peerTable;
  private final EnvironmentDriver environmentDriver;
  private final SortedMap<String, Long> counts;

  ObservationLog(
      Simulation simulation,
      SimulationSpec spec,
      SimulationListener listener,
      PeerTable peerTable,
      EnvironmentDriver environmentDriver,
      SortedMap<String, Long> counts) {
    this.simulation = simulation;
    this.spec = spec;
    this.listener = listener;
    this.peerTable = peerTable;
    this.environmentDriver = environmentDriver;
    this.counts = new TreeMap<>(counts);
  }

  void observe(int peer, Observation observation) {
    switch (observation) {
      case Observation.Deployed deployed -> {
        // Not for a round that a peer repeats after losing its state: it was recorded before.
        if (deployed.round() > peerTable.finishedRounds[peer]) {
          simulation.traffic().roundObserved(deployed.round(), simulation.tick());
        }
        environmentDriver.saveState(peer);
        if (deployed.audience() == Observation.Audience.EVERYONE) {
          for (int each = 0; each < spec.peers(); each++) {
            recordFinishedRound(each, deployed);
          }
          notifyForEveryPeer(observation);
          return;
        }
        recordFinishedRound(peer, deployed);
      }
      case Observation.Counted counted -> count(counted.name());
      case Observation.Measured measured -> {
        simulation.timeBreakdown().measured(measured);
        // A server's figure describes the model that every peer deploys, so it is reported for
        // every peer.
        if (peer >= spec.peers()) {
          notifyForEveryPeer(observation);
          return;
        }
      }
      case Observation.SearchCompleted _ -> simulation.traffic().searchCompleted();
      case Observation.RoundCompleted _ -> {
        environmentDriver.saveState(peer);
        return;
      }
      case Observation.ModelsHeld _, Observation.SamplesClustered _ -> {}
    }
    notifyListener(peer, observation);
  }

  private void notifyForEveryPeer(Observation observation) {
    for (int each = 0; each < spec.peers(); each++) {
      notifyListener(each, observation);
    }
  }

  private void recordFinishedRound(int peer, Observation.Deployed deployed) {
    if (deployed.stage() == Observation.Stage.TRAINED) {
      return;
    }
    // In a dynamic environment the run must not end before the personal phase after the last round.
    boolean more =
        spec.hasPersonalPhase()
            && deployed.round() >= spec.rounds()
            && deployed.stage() != Observation.Stage.FINAL;
    if (!more) {
      peerTable.recordFinishedRound(peer, deployed.round());
    }
    if (deployed.stage() == Observation.Stage.MIXED) {
      simulation
          .timeBreakdown()
          .finished(peer, simulation.tick(), deployed.round() >= spec.rounds());
    }
  }

  void count(String name) {
    counts.merge(name, 1L, Long::sum);
  }

  SortedMap<String, Long> counts() {
    return Collections.unmodifiableSortedMap(counts);
  }

  private void notifyListener(int peer, Observation observation) {
    Traffic.Account account = simulation.traffic().account(peer);
    listener.observed(
        new ObservationListener.Observed(
            simulation.tick(),
            new PeerId(peer),
            observation,
            account.sentControl() + account.sentModel(),
            account.receivedControl() + account.receivedModel(),
            account.modelsReceived()),
        peerTable);
  }
}
