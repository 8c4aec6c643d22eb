package io.kindred.methods.discovery;

import io.kindred.core.config.Named;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Effect;
import java.util.Optional;

/**
 * Draws peers at random. No peer of a real network can draw from all peers, so it is for simulators
 * only.
 */
@Named(value = "random", summary = "draws from all peers at random, which only a simulator can")
public record RandomDiscovery(@SettingGroup SignatureSettings signatureSettings)
    implements PeerDiscovery {
  @Override
  public Effect ask(Request request) {
    return ExactDiscovery.ask(request, Oracle.ComparedBy.CHANCE, signatureSettings);
  }

  @Override
  public Optional<SignatureSettings> signing() {
    return Optional.of(signatureSettings);
  }

  @Override
  public boolean estimatesCosines() {
    return false;
  }

  @Override
  public boolean needsGlobalView() {
    return true;
  }
}
