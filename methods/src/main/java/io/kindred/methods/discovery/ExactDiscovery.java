package io.kindred.methods.discovery;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import java.util.Optional;

/** Compares all peers, which only a simulator can: the reference for every other search. */
@Named(value = "exact", summary = "compares all peers, which only a simulator can")
public record ExactDiscovery(
    @Setting(
            doc =
                "what is compared: `signature`, the signatures; `weights`, the whole vectors that"
                    + " signatures are taken of; `update`, the changes in the last local training",
            fallback = "signature")
        Similarity comparedBy,
    @SettingGroup SignatureSettings signatureSettings)
    implements PeerDiscovery {
  /** What an exact search compares. */
  public enum Similarity {
    SIGNATURE(Oracle.ComparedBy.SIGNATURE),
    WEIGHTS(Oracle.ComparedBy.WEIGHTS),
    UPDATE(Oracle.ComparedBy.UPDATE);

    private final Oracle.ComparedBy asked;

    Similarity(Oracle.ComparedBy asked) {
      this.asked = asked;
    }
  }

  @Override
  public Effect ask(Request request) {
    return ask(request, comparedBy.asked, signatureSettings);
  }

  static Effect ask(
      Request request, Oracle.ComparedBy comparedBy, SignatureSettings signatureSettings) {
    return new Effect.Notify(
        Component.SHELL,
        new Oracle.Ask(
            request.number(),
            request.wanted(),
            comparedBy,
            request.round(),
            request.immediate(),
            signatureSettings.signatures()));
  }

  @Override
  public Optional<SignatureSettings> signing() {
    return Optional.of(signatureSettings);
  }

  @Override
  public boolean estimatesCosines() {
    return comparedBy != Similarity.UPDATE && PeerDiscovery.super.estimatesCosines();
  }

  @Override
  public boolean needsGlobalView() {
    return true;
  }
}
