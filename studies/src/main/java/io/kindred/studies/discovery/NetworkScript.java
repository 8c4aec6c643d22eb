package io.kindred.studies.discovery;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.studies.discovery.DiscoveryStudy.DriftSettings;
import io.kindred.studies.discovery.DiscoveryStudy.SplitSettings;
import java.util.ArrayList;
import java.util.List;

/** What happens to a network between its rounds: churn, a split, drift, new versions. */
final class NetworkScript {
  private static final Purpose CHURN = new Purpose("discovery-churn");
  private static final Purpose DRIFT = new Purpose("discovery-drift");
  private static final Purpose SPLIT = new Purpose("discovery-split");

  /** What happens, and when. */
  record Events(
      long seed,
      double churn,
      DriftSettings drift,
      SplitSettings split,
      boolean moving,
      SketchRule sketch) {
    static Events of(DiscoveryStudy study) {
      return new Events(
          study.seed(),
          study.churn(),
          study.drift(),
          study.split(),
          study.moving(),
          study.views().sketch());
    }

    static Events of(DiscoveryFuzzCase fuzzCase) {
      return new Events(
          fuzzCase.seed(),
          fuzzCase.churn(),
          fuzzCase.drift(),
          fuzzCase.split(),
          false,
          fuzzCase.views().sketch());
    }
  }

  private final Events events;
  private final PeerVectors vectors;
  private final ViewNetwork network;
  private final RandomStreams streams;

  /** Draws of a peer's vector so far; its version in the network may be larger. */
  private final int[] draws;

  NetworkScript(Events events, PeerVectors vectors, ViewNetwork network) {
    this.events = events;
    this.vectors = vectors;
    this.network = network;
    streams = new RandomStreams(events.seed());
    draws = new int[network.size()];
  }

  /** The number of each peer's current vector. */
  int[] draws() {
    return draws.clone();
  }

  /** Changes the network before a round; returns whether vectors have changed. */
  boolean before(int round) {
    changePresence(round);
    boolean splits = events.split().covers(round);
    if (splits != events.split().covers(round - 1)) {
      for (int peer = 0; peer < network.size(); peer++) {
        network.split(peer, splits ? streams.stream(SPLIT, peer, 0).nextInt(2) : 0);
      }
    }
    if (events.moving()) {
      for (int peer = 0; peer < network.size(); peer++) {
        if (network.isUp(peer)) {
          network.changeModel(peer, network.sketch(peer));
        }
      }
    }
    if (events.drift().at() == round) {
      drift();
      return true;
    }
    return false;
  }

  private void changePresence(int round) {
    if (events.churn() == 0) {
      return;
    }
    List<Integer> up = new ArrayList<>();
    List<Integer> down = new ArrayList<>();
    for (int peer = 0; peer < network.size(); peer++) {
      (network.isUp(peer) ? up : down).add(peer);
    }
    RandomStream random = streams.stream(CHURN, -1, round);
    int count = (int) Math.round(events.churn() * up.size());
    setUp(down, random, count, true);
    setUp(up, random, count, false);
  }

  private void setUp(List<Integer> peers, RandomStream random, int count, boolean isUp) {
    int[] order = random.permutation(peers.size());
    for (int i = 0; i < Math.min(count, order.length); i++) {
      network.setUp(peers.get(order[i]), isUp);
    }
  }

  private void drift() {
    for (int peer = 0; peer < network.size(); peer++) {
      if (streams.stream(DRIFT, peer, 0).nextDouble() < events.drift().share()) {
        draws[peer]++;
        network.changeModel(peer, vectors.sketch(peer, draws[peer], events.sketch()));
      }
    }
  }
}
