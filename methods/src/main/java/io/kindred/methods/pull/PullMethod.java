package io.kindred.methods.pull;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Differences between methods that pull models; the rounds are common. */
interface PullMethod extends Method {
  PullSettings pull();

  /** How a peer finds the peers whose models it pulls. */
  PeerDiscovery discovery();

  /** A signature that does not depend on the model; empty if it is computed from the model. */
  default Optional<Signature> fixedSignature(PeerContext context) {
    return Optional.empty();
  }

  @Override
  default List<String> warnings(int peers) {
    return pull().warnings(peers);
  }

  @Override
  default int staleness() {
    return pull().staleness();
  }

  @Override
  default boolean continuesAfterLastRound() {
    return discovery().continuesAfterLastRound();
  }

  @Override
  default boolean needsGlobalView() {
    return discovery().needsGlobalView();
  }

  @Override
  default List<PeerLayer<?>> layers(PeerContext context) {
    List<PeerLayer<?>> layers = new ArrayList<>();
    discovery().layer(context).ifPresent(layers::add);
    layers.add(new PeerLayer<>(Component.METHOD, new PullMachine(this, context), PullState.class));
    return layers;
  }

  @Override
  default SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.CALL, Ticket.Kind.MIX));
  }

  @Override
  default List<Class<? extends Message>> messages() {
    return List.of(PullMachine.ModelRequest.class, PullMachine.ModelReply.class);
  }

  @Override
  default List<Class<?>> otherRecords() {
    List<Class<?>> records = new ArrayList<>(PeerDiscoveries.records());
    records.addAll(List.of(ScoreModels.class, ScoreModels.ModelScores.class));
    return records;
  }
}
