package io.kindred.studies.discovery;

import io.kindred.protocol.discovery.Contact;
import io.kindred.protocol.discovery.Discovery;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.discovery.ViewEntry;
import io.kindred.protocol.wire.Wire;
import io.kindred.studies.discovery.DiscoveryResult.InDegree;
import io.kindred.studies.discovery.DiscoveryResult.StateResult;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Measures of a whole network at one moment. */
record NetworkMeasures(ViewNetwork network) {
  private static final int STATES_ENCODED = 100;

  int[] live() {
    return IntStream.range(0, network.size()).filter(network::isUp).toArray();
  }

  /** In-degrees of the peers that are up in the contact graph. */
  InDegree contactInDegree() {
    int[] counts = new int[network.size()];
    int[] live = live();
    for (int peer : live) {
      for (Contact each : network.state(peer).contacts()) {
        counts[(int) each.peer().number()]++;
      }
    }
    return inDegree(counts, live.length);
  }

  /** In-degrees of the peers that are up, from the number of lists that name each peer. */
  InDegree inDegree(int[] counts, int askers) {
    int[] sorted = Arrays.stream(live()).map(peer -> counts[peer]).sorted().toArray();
    if (sorted.length == 0) {
      return new InDegree(askers, 0, 0, 0, 0);
    }
    double mean = Arrays.stream(sorted).average().orElse(0);
    double variance =
        Arrays.stream(sorted).mapToDouble(each -> (each - mean) * (each - mean)).sum()
            / sorted.length;
    return new InDegree(
        askers,
        mean,
        Math.sqrt(variance),
        sorted[Math.min(sorted.length - 1, (int) (0.99 * sorted.length))],
        sorted[sorted.length - 1]);
  }

  /** Peers that are up but know no contact and no model of a peer that is up. */
  int isolated() {
    return (int) Arrays.stream(live()).parallel().filter(this::isIsolated).count();
  }

  boolean isIsolated(int peer) {
    DiscoveryState state = network.state(peer);
    return state.contacts().stream().noneMatch(each -> network.isUp((int) each.peer().number()))
        && state.entries().stream().noneMatch(each -> network.isUp((int) each.peer().number()));
  }

  /** Share of the peers that are up in the largest weakly connected part of the contact graph. */
  double connected() {
    int[] parent = IntStream.range(0, network.size()).toArray();
    int[] live = live();
    for (int peer : live) {
      for (Contact each : network.state(peer).contacts()) {
        int other = (int) each.peer().number();
        if (network.isUp(other)) {
          parent[root(parent, peer)] = root(parent, other);
        }
      }
    }
    int[] sizes = new int[network.size()];
    int largest = 0;
    for (int peer : live) {
      largest = Math.max(largest, ++sizes[root(parent, peer)]);
    }
    return live.length == 0 ? 1 : (double) largest / live.length;
  }

  private static int root(int[] parent, int node) {
    int at = node;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** Sizes of a sample of encoded states. */
  StateResult state() {
    Wire wire = new Wire(Discovery.records());
    int[] live = live();
    int sample = Math.min(STATES_ENCODED, live.length);
    double bytes = 0;
    double sketches = 0;
    double entries = 0;
    double contacts = 0;
    for (int i = 0; i < sample; i++) {
      DiscoveryState state = network.state(live[(int) ((long) i * live.length / sample)]);
      double ofSketches =
          state.own().map(own -> own.sketch().bytes()).orElse(0)
              + state.entries().stream()
                  .map(ViewEntry::descriptor)
                  .mapToDouble(each -> each.sketch().bytes())
                  .sum();
      bytes += wire.encode(DiscoveryState.class, state).bytes().length - ofSketches;
      sketches += ofSketches;
      entries += state.entries().size();
      contacts += state.contacts().size();
    }
    double count = Math.max(1, sample);
    return new StateResult(bytes / count, sketches / count, entries / count, contacts / count);
  }
}
