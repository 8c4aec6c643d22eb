package io.kindred.methods.mixing;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.PartnerUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A method that estimates the shares of the models from the models themselves. So it can mix the
 * models of any peers, and the peers of a round may be found by a search.
 */
interface PartnerMethod extends MixingMethod {
  /** With which peers a peer exchanges models. */
  PartnerSettings partners();

  /** Kinds of tickets for training, estimates and mixtures. */
  List<Ticket.Kind> mixingKinds();

  /** Records for training, estimates and mixtures, as in {@link #otherRecords}. */
  List<Class<?>> mixingRecords();

  @Override
  default List<PeerLayer<?>> layers(PeerContext context) {
    return partners().isSearched()
        ? partners().layers(new MixingAlgorithm(this, context), rounds())
        : MixingMethod.super.layers(context);
  }

  @Override
  default SortedSet<Ticket.Kind> ticketKinds() {
    SortedSet<Ticket.Kind> kinds = new TreeSet<>(mixingKinds());
    if (partners().isSearched()) {
      kinds.add(Ticket.Kind.CALL);
    }
    return kinds;
  }

  @Override
  default List<Class<? extends Message>> messages() {
    return partners().isSearched() ? List.of(PartnerUpdate.class) : MixingMethod.super.messages();
  }

  @Override
  default List<Class<?>> otherRecords() {
    List<Class<?>> records = new ArrayList<>(mixingRecords());
    if (partners().isSearched()) {
      records.addAll(PeerDiscoveries.records());
    }
    return records;
  }

  @Override
  default boolean needsGlobalView() {
    return partners().discovery().needsGlobalView();
  }

  @Override
  default boolean continuesAfterLastRound() {
    return partners().discovery().continuesAfterLastRound();
  }

  @Override
  default List<String> warnings(int peers) {
    return partners().warnings(peers);
  }
}
