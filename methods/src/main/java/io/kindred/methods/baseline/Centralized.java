package io.kindred.methods.baseline;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * All data in one place, one model for all peers. Not federated: the upper baseline for one common
 * model. Neither moving the data nor distributing the model counts as traffic.
 */
@Named(
    value = "centralized",
    summary =
        "one model trained on the data of all peers in one place; an upper reference,"
            + " not federated")
public record Centralized() implements Method {
  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return switch (context.role()) {
      case PEER -> List.of();
      case SERVER ->
          new LocalMachine(
                  context,
                  DataView.everyone(DataView.Split.TRAIN),
                  List.of(Stage.MIXED),
                  Audience.EVERYONE)
              .singleLayer();
    };
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of();
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  @Override
  public boolean pooledData() {
    return true;
  }
}
