package io.kindred.methods;

import io.kindred.core.Message;
import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Stage;
import io.kindred.core.peer.Layer;
import io.kindred.core.settings.Named;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Ticket;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * All data in one place, one model for everybody. Not federated at all; the upper yardstick for one
 * common model. The data are simply there: neither moving them nor handing the model out counts as
 * traffic.
 */
@Named(
    value = "centralized",
    summary = "all data in one place, one model; the upper yardstick, not federated")
public record Centralized() implements Method {
  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return switch (context.role()) {
      case PEER -> List.of();
      case SERVER ->
          new Solo(
                  context,
                  DataView.everyone(DataView.Split.TRAIN),
                  List.of(Stage.MIXED),
                  Audience.EVERYONE)
              .alone();
    };
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
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
