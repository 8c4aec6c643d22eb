package io.kindred.methods.discovery;

import io.kindred.core.config.Named;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.PeerContext;
import io.kindred.protocol.discovery.Discovery;
import io.kindred.protocol.discovery.DiscoveryContext;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.FindSimilar;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.PeerUnreachable;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewSettings;
import java.util.Optional;

/** Keeps a view of the most similar peers by gossip. */
@Named(
    value = "views",
    summary = "keeps sketches of the most similar peers by gossip and checks them against models")
public record ViewDiscovery(@SettingGroup ViewSettings views) implements PeerDiscovery {
  public ViewDiscovery {
    if (views.checks() && !isCheckable(views.sketch())) {
      throw new SettingException(
          "sketch.of",
          "a sketch of the `update` cannot be checked, because a pulled model does not show the"
              + " weights before its training",
          "choose `change`, or set `checks` to false");
    }
  }

  /** Whether a peer that pulls a model can compute its sketch. */
  private static boolean isCheckable(SketchRule rule) {
    return rule.of() != SketchRule.Subject.UPDATE;
  }

  @Override
  public Optional<PeerLayer<?>> layer(PeerContext context) {
    return Optional.of(
        new PeerLayer<>(
            Component.DISCOVERY,
            new Discovery(new DiscoveryContext(context.self(), views, context.streams())),
            DiscoveryState.class));
  }

  @Override
  public Effect ask(Request request) {
    return new Effect.Notify(
        Component.DISCOVERY, new FindSimilar(request.number(), request.wanted(), request.draw()));
  }

  @Override
  public Optional<SketchRule> sketching() {
    return Optional.of(views.sketch());
  }

  @Override
  public Optional<SketchRule> sketchingOfPulled() {
    return sketching().filter(ViewDiscovery::isCheckable);
  }

  @Override
  public Optional<Effect> unreachable(PeerId peer) {
    return Optional.of(new Effect.Notify(Component.DISCOVERY, new PeerUnreachable(peer)));
  }

  @Override
  public boolean draws() {
    return true;
  }

  @Override
  public boolean answersAtOnce() {
    return true;
  }
}
