package io.kindred.methods.pull;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.overlay.Overlay;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.OverlayState;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Differences between methods that pull models; the rounds are common. */
interface PullMethod extends Method {
  PullSettings pull();

  /** How signatures are computed. */
  SignatureRule signatures();

  /** A share of the weights that every signature has; 0 leaves it to the rule. */
  default double signatureShare() {
    return 0;
  }

  /** The overlay to search and how far; empty searches through the {@link Oracle}. */
  default Optional<OverlaySearch> overlaySearch(PeerContext context) {
    return Optional.empty();
  }

  /** An overlay and how far a search in it spreads. */
  record OverlaySearch(OverlaySettings overlay, SearchRule reach) {}

  /** What an exact search compares. */
  Oracle.ComparedBy comparedBy();

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
  default List<PeerLayer<?>> layers(PeerContext context) {
    List<PeerLayer<?>> layers = new ArrayList<>();
    overlaySearch(context)
        .ifPresent(
            overlaySearch -> {
              ElectionIdentity identity = context.electionIdentity().get();
              layers.add(
                  new PeerLayer<>(
                      Component.DISCOVERY,
                      new Overlay(
                          new OverlayContext(
                              context.self(),
                              overlaySearch.overlay(),
                              identity.secret(),
                              1,
                              identity.previousEpoch(),
                              identity.verifier())),
                      OverlayState.class));
            });
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
    List<Class<?>> records = new ArrayList<>(Overlay.records());
    records.addAll(
        List.of(
            ComputeSignature.class,
            ComputeSignature.ComputedSignature.class,
            ScoreModels.class,
            ScoreModels.ModelScores.class,
            Oracle.Ask.class,
            Oracle.NotYet.class,
            Oracle.Nearest.class));
    return records;
  }
}
