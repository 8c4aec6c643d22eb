package io.kindred.methods.semantic;

import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.peer.Layer;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Method;
import io.kindred.methods.PeerContext;
import io.kindred.protocol.overlay.Candidacy;
import io.kindred.protocol.overlay.Overlay;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.OverlayState;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.signatures.Signature;
import io.kindred.protocol.signatures.SignatureRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What tells methods apart that pull models; the rounds are common. */
interface PullRules extends Method {
  Pulling pull();

  /** How signatures are made. */
  SignatureRule signatures();

  /** A share of the weights that every signature has; 0 leaves it to the rule. */
  default double signatureShare() {
    return 0;
  }

  /** The overlay that is searched, with how far; empty asks whoever sees everybody. */
  default Optional<Searching> searching(PeerContext context) {
    return Optional.empty();
  }

  /** An overlay and how far a search in it spreads. */
  record Searching(OverlaySettings overlay, SearchRule reach) {}

  /** What an exact search compares. */
  Oracle.By by();

  /** A signature that no model makes; empty where it is made of the model. */
  default Optional<Signature> signature(PeerContext context) {
    return Optional.empty();
  }

  @Override
  default int staleness() {
    return pull().staleness();
  }

  @Override
  default List<Layer<?>> layers(PeerContext context) {
    List<Layer<?>> layers = new ArrayList<>();
    searching(context)
        .ifPresent(
            searching -> {
              Candidacy candidacy = context.candidacy().get();
              layers.add(
                  new Layer<>(
                      Component.OVERLAY,
                      new Overlay(
                          new OverlayContext(
                              context.self(),
                              searching.overlay(),
                              candidacy.secret(),
                              1,
                              candidacy.before(),
                              candidacy.proofs())),
                      OverlayState.class));
            });
    layers.add(new Layer<>(Component.METHOD, new Puller(this, context), PullState.class));
    return layers;
  }

  @Override
  default SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.CALL, Ticket.Kind.MIX));
  }

  @Override
  default List<Class<? extends Message>> messages() {
    return List.of(Puller.ModelRequest.class, Puller.ModelReply.class);
  }

  @Override
  default List<Class<?>> otherRecords() {
    List<Class<?>> records = new ArrayList<>(Overlay.records());
    records.addAll(
        List.of(
            Sign.class,
            Sign.Signed.class,
            Judge.class,
            Judge.Judged.class,
            Oracle.Ask.class,
            Oracle.NotYet.class,
            Oracle.Nearest.class));
    return records;
  }
}
