package io.kindred.methods.clustered;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.SharedModelMethod;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The iterative federated clustering algorithm (Ghosh et al., 2020, algorithm 1, model averaging):
 * several models, each the plain mean of the models trained by the peers whose data it fits best,
 * however many samples these peers have. The original has a server. Over a graph every peer
 * averages with its neighbours, which is DFCA with batch averaging and common starts.
 */
@Named(
    value = "ifca",
    summary =
        "one model per cluster; each peer trains the best-fitting model, and a server or"
            + " the neighbours average")
public record Ifca(
    @Setting(doc = "models, one for each cluster", fallback = "2", min = 1, max = 1000)
        int clusters,
    @Setting(
            doc = "where models are averaged: `server`, or `graph` for the neighbours",
            fallback = "server")
        Aggregation over,
    @SettingGroup RoundSettings rounds)
    implements SharedModelMethod {
  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    HardClusters algorithm = new HardClusters(context, clusters, false, false, 1);
    return over.layers(algorithm, rounds, 0);
  }

  @Override
  public List<String> warnings(int peers) {
    return HardClusters.warnings(clusters, peers);
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(HardClusters.ClusterModels.class);
  }
}
