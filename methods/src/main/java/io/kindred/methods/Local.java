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
 * Everybody trains alone. The yardstick that collaboration has to beat for every single peer.
 * Nothing is mixed in, so what was trained is what is deployed.
 */
@Named(value = "local", summary = "every peer trains alone and never talks; the lower yardstick")
public record Local() implements Method {
  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return new Solo(
            context,
            DataView.own(DataView.Split.TRAIN),
            List.of(Stage.TRAINED, Stage.MIXED),
            Audience.SELF)
        .alone();
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of();
  }
}
