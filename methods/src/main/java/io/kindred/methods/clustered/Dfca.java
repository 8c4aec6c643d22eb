package io.kindred.methods.clustered;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.Gossip;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Decentralized federated clustering (DFCA, algorithm 1): every peer holds all models, trains the
 * one that fits its data best, sends that one to its neighbours, and averages received models into
 * its model of the same cluster, as they arrive or all at once.
 */
@Named(
    value = "dfca",
    summary =
        "one model per cluster on a graph; each peer trains the best-fitting model and"
            + " averages all of them")
public record Dfca(
    @Setting(doc = "models, one for each cluster", fallback = "2", min = 1, max = 1000)
        int clusters,
    @Setting(
            doc =
                "whether all peers start from the same models (global) or each from its own"
                    + " (local)",
            fallback = "global")
        Start start,
    @Setting(
            doc =
                "whether models are averaged as they arrive (running) or once all have arrived"
                    + " (batch)",
            fallback = "running")
        Averaging averaging,
    @Setting(
            doc = "share of the peers that take part in a round, drawn at random",
            fallback = "1",
            above = 0,
            max = 1)
        double participation,
    @Setting(doc = "how long a peer waits for the other peers' models", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "rounds that a received model may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method {
  /** Whether peers start from common models or from models of their own. */
  public enum Start {
    GLOBAL,
    LOCAL
  }

  /** When models are averaged. */
  public enum Averaging {
    RUNNING,
    BATCH
  }

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    HardClusters algorithm =
        new HardClusters(
            context, clusters, start == Start.LOCAL, averaging == Averaging.RUNNING, participation);
    return new Gossip<>(algorithm, timeout, staleness).singleLayer();
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
  public List<Class<? extends Message>> messages() {
    return List.of(NeighbourUpdate.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    return List.of(HardClusters.ClusterModels.class);
  }
}
