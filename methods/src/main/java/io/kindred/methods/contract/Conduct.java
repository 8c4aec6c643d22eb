package io.kindred.methods.contract;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.InterceptedLayer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.robust.RobustMixing;
import io.kindred.methods.robust.RobustRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What a run adds to the peers of its method, whatever the method is.
 *
 * @param robust the rule by which received models are mixed; empty for the method's own
 * @param hostility what hostile peers add
 */
public record Conduct(Optional<RobustRule> robust, Hostility hostility) {
  /** Every peer follows its method, with the method's own rule of mixing. */
  public static final Conduct HONEST = new Conduct(Optional.empty(), Hostility.NONE);

  /** Makes some peers hostile. */
  public interface Hostility {
    /** No peer is hostile. */
    Hostility NONE =
        new Hostility() {
          @Override
          public boolean isHostile(PeerId peer) {
            return false;
          }

          @Override
          public List<InterceptedLayer<?>> layers(PeerContext peer, List<Component> components) {
            return List.of();
          }

          @Override
          public UnaryOperator<Weights> sentForm(PeerContext peer) {
            return UnaryOperator.identity();
          }
        };

    boolean isHostile(PeerId peer);

    /** The interceptors of a peer with these components; none for an honest peer. */
    List<InterceptedLayer<?>> layers(PeerContext peer, List<Component> components);

    /** What a peer sends in place of a model, so that it can describe that to others. */
    UnaryOperator<Weights> sentForm(PeerContext peer);
  }

  RobustRule rule(Method method) {
    return robust.orElseGet(method::defaultRobustRule);
  }

  /** The interceptors of a peer, that of its rule of mixing first. */
  List<InterceptedLayer<?>> layers(
      Method method, PeerContext peer, List<Component> components, int validationSamples) {
    List<InterceptedLayer<?>> layers =
        new ArrayList<>(
            RobustMixing.layers(
                rule(method),
                method.hasServer() && peer.role() == PeerContext.Role.PEER
                    ? Optional.of(peer.server())
                    : Optional.empty(),
                validationSamples));
    layers.addAll(hostility.layers(peer, components));
    return layers;
  }

  /** The kinds of tickets of a method under this conduct. */
  public SortedSet<Ticket.Kind> ticketKinds(Method method) {
    SortedSet<Ticket.Kind> kinds = new TreeSet<>(method.ticketKinds());
    if (kinds.contains(Ticket.Kind.MIX)) {
      kinds.addAll(RobustMixing.ticketKinds(rule(method)));
    }
    return kinds;
  }
}
