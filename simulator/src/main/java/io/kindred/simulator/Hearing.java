package io.kindred.simulator;

import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Hears what peers tell of themselves: keeps the books of rounds, time and things that are counted,
 * has states saved, and passes on to the watcher what is of interest outside.
 */
final class Hearing {
  private final Simulation simulation;
  private final Scene scene;
  private final SimulationListener watcher;
  private final Population population;
  private final Nature nature;
  private final SortedMap<String, Long> counts;

  Hearing(
      Simulation simulation,
      Scene scene,
      SimulationListener watcher,
      Population population,
      Nature nature,
      SortedMap<String, Long> counts) {
    this.simulation = simulation;
    this.scene = scene;
    this.watcher = watcher;
    this.population = population;
    this.nature = nature;
    this.counts = new TreeMap<>(counts);
  }

  void observe(int peer, Observation observation) {
    switch (observation) {
      case Observation.Deployed deployed -> {
        // Not if a peer that forgot everything goes it again: the round was over long ago.
        if (deployed.round() > population.rounds[peer]) {
          simulation.traffic().roundSeen(deployed.round(), simulation.tick());
        }
        nature.save(peer);
        if (deployed.audience() == Observation.Audience.EVERYONE) {
          for (int each = 0; each < scene.peers(); each++) {
            finishedRound(each, deployed);
          }
          tellOfEveryone(observation);
          return;
        }
        finishedRound(peer, deployed);
      }
      case Observation.Counted counted -> count(counted.name());
      case Observation.Measured measured -> {
        simulation.spent().measured(measured);
        // A server's figure is of the model that everybody deploys, and stands beside it.
        if (peer >= scene.peers()) {
          tellOfEveryone(observation);
          return;
        }
      }
      case Observation.Found _ -> simulation.traffic().found();
      case Observation.RoundOver _ -> {
        nature.save(peer);
        return;
      }
      case Observation.Held _, Observation.Sorted _ -> {}
    }
    tellWatcher(peer, observation);
  }

  private void tellOfEveryone(Observation observation) {
    for (int each = 0; each < scene.peers(); each++) {
      tellWatcher(each, observation);
    }
  }

  private void finishedRound(int peer, Observation.Deployed deployed) {
    if (deployed.stage() == Observation.Stage.TRAINED) {
      return;
    }
    // A world that turns for ever must not end before the personal phase after the last round.
    boolean more =
        scene.personal()
            && deployed.round() >= scene.rounds()
            && deployed.stage() != Observation.Stage.FINAL;
    if (!more) {
      population.hasFinished(peer, deployed.round());
    }
    if (deployed.stage() == Observation.Stage.MIXED) {
      simulation.spent().finished(peer, simulation.tick(), deployed.round() >= scene.rounds());
    }
  }

  void count(String name) {
    counts.merge(name, 1L, Long::sum);
  }

  SortedMap<String, Long> counts() {
    return Collections.unmodifiableSortedMap(counts);
  }

  private void tellWatcher(int peer, Observation observation) {
    Traffic.Account account = simulation.traffic().account(peer);
    watcher.observed(
        new Watcher.Observed(
            simulation.tick(),
            new PeerId(peer),
            observation,
            account.sentControl() + account.sentModel(),
            account.receivedControl() + account.receivedModel(),
            account.pulled()),
        population);
  }
}
