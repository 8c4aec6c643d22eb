package io.kindred.methods.discovery;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.PeerContext;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.machine.Overlay;
import io.kindred.protocol.overlay.machine.OverlayState;
import io.kindred.protocol.signature.Signature;
import java.util.Optional;
import java.util.OptionalInt;

/** Searches an overlay of signatures (SemanticDFL, section 3). */
@Named(
    value = "overlay",
    summary = "searches a hierarchy of super-peers for the most similar signatures")
public record OverlayDiscovery(
    @Setting(doc = "how widely a query searches the overlay", fallback = "{}") SearchRule reach,
    @Setting(
            doc = "share of the weights that a signature holds; 0 takes the rule of `signatures`",
            fallback = "0",
            min = 0,
            max = 1)
        double signatureShare,
    @Setting(
            doc =
                "largest number of peers in a zone as a share of all peers; 0 takes `zoneSize`, and"
                    + " so does a network that nodes join and leave",
            fallback = "0.05",
            min = 0,
            max = 1)
        double zoneShare,
    @SettingGroup OverlaySettings overlay)
    implements PeerDiscovery {
  @Override
  public Optional<PeerLayer<?>> layer(PeerContext context) {
    ElectionIdentity identity = context.electionIdentity().get();
    return Optional.of(
        new PeerLayer<>(
            Component.DISCOVERY,
            new Overlay(
                new OverlayContext(
                    context.self(),
                    sized(context.networkSize()),
                    identity.secret(),
                    context.capacity(),
                    identity.previousEpoch(),
                    identity.verifier())),
            OverlayState.class));
  }

  /** A zone of one peer has no members to compare, so two is the minimum. */
  private OverlaySettings sized(OptionalInt peers) {
    return zoneShare > 0 && peers.isPresent()
        ? overlay.withZoneSize(Math.max(2, (int) Math.round(zoneShare * peers.getAsInt())))
        : overlay;
  }

  @Override
  public Effect ask(Request request) {
    return new Effect.Notify(
        Component.DISCOVERY,
        new OverlayLocalMessage.Search(request.number(), request.wanted(), reach, false));
  }

  @Override
  public Optional<SignatureSettings> signing() {
    return Optional.of(new SignatureSettings(overlay.signatures(), signatureShare));
  }

  @Override
  public Optional<Effect> signed(Signature signature, int requiredEntries) {
    return Optional.of(
        new Effect.Notify(
            Component.DISCOVERY,
            new OverlayLocalMessage.SignatureUpdated(signature, requiredEntries)));
  }

  @Override
  public boolean isReadyAtStart() {
    return false;
  }

  @Override
  public boolean continuesAfterLastRound() {
    return overlay.maintenance().enabled();
  }
}
