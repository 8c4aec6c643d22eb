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
 * Every peer trains alone. The baseline that collaboration has to beat for every single peer. Peers
 * mix no models, so they deploy the model that they trained.
 */
@Named(value = "local", summary = "every peer trains alone and sends nothing; the lower reference")
public record Local() implements Method {
  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return new LocalMachine(
            context,
            DataView.own(DataView.Split.TRAIN),
            List.of(Stage.TRAINED, Stage.MIXED),
            Audience.SELF)
        .singleLayer();
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of();
  }
}
