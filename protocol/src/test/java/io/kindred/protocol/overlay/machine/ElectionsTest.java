package io.kindred.protocol.overlay.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.peer.Timer;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.ProofVerifier;
import io.kindred.protocol.overlay.ThresholdRule;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.VrfSecret;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a peer handles valid and forged scores and probes. */
class ElectionsTest {
  static final PeerId SELF = new PeerId(0);
  static final PeerId OTHER = new PeerId(1);
  private static final PeerId THIRD = new PeerId(2);
  static final Epoch BEFORE = Epoch.zero(Digest.of(new byte[] {1}));
  static final OverlaySettings SETTINGS =
      new OverlaySettings(
          2,
          4,
          8,
          3,
          8,
          0.1,
          OverlaySettings.RootDissemination.TREE,
          ThresholdRule.DEFAULT,
          AffinityRule.DEFAULT,
          new SignatureRule(
              SignatureRule.Subject.DELTA, 0, 5, 0.8, 0, 0.05, 1, 0.9, 0.5, Precision.BFLOAT16),
          MaintenanceSettings.DISABLED);

  private final Overlay overlay = overlay(SETTINGS);

  static Overlay overlay(OverlaySettings settings) {
    return new Overlay(context(settings));
  }

  static OverlayContext context(OverlaySettings settings) {
    return new OverlayContext(
        SELF,
        settings,
        secret(SELF),
        1,
        BEFORE,
        ProofVerifier.uncached(peer -> Optional.of(secret(peer).publicKey())));
  }

  private static VrfSecret secret(PeerId peer) {
    return VrfSecret.derive(Digest.of(new byte[] {2, (byte) peer.number()}));
  }

  static Bytes proof(PeerId peer, Epoch before) {
    return ElectionScore.draw(peer, secret(peer), before).proof();
  }

  private OverlayState started() {
    return overlay.step(overlay.initial(), new Event.Started(0, List.of(OTHER, THIRD))).state();
  }

  private Step<OverlayState> receive(OverlayState state, PeerId from, Message message) {
    return overlay.step(state, new Event.Received(1, from, message));
  }

  private static OverlayMessage.ScoreOffer offer(PeerId peer, Bytes proof, int hopsLeft) {
    return new OverlayMessage.ScoreOffer(1, 1, peer, proof, hopsLeft);
  }

  private static final Effect REFUSED =
      new Effect.Observe(new Observation.Counted("overlay-refused-proof"));

  @Test
  void aForgedProofIsRefusedAndCounted() {
    OverlayState state = started();
    byte[] forged = proof(OTHER, BEFORE).copy();
    forged[80] ^= 1;
    Step<OverlayState> step = receive(state, OTHER, offer(OTHER, Bytes.wrap(forged), 1));
    assertThat(step.effects()).containsExactly(REFUSED);
    assertThat(step.state()).isEqualTo(state);
  }

  @Test
  void aProofOfAnotherEpochIsRefusedAndCounted() {
    OverlayState state = started();
    Bytes replayed = proof(OTHER, BEFORE.next());
    assertThat(receive(state, OTHER, offer(OTHER, replayed, 1)).effects()).containsExactly(REFUSED);
  }

  @Test
  void theProofOfAnotherPeerIsRefusedAndCounted() {
    OverlayState state = started();
    assertThat(receive(state, OTHER, offer(OTHER, proof(THIRD, BEFORE), 1)).effects())
        .containsExactly(REFUSED);
  }

  @Test
  void aProbeOfAnInitiatorWithAForgedScoreIsNotFollowed() {
    OverlayState state = started();
    ZoneId zone = new ZoneId(1, 1, OTHER);
    Step<OverlayState> step =
        receive(state, OTHER, new OverlayMessage.Probe(zone, proof(THIRD, BEFORE), 1, 1));
    assertThat(step.effects()).containsExactly(REFUSED);
    assertThat(step.state().zone(1)).isEmpty();
  }

  @Test
  void theFirstProbeWins() {
    Step<OverlayState> first =
        receive(
            started(),
            OTHER,
            new OverlayMessage.Probe(new ZoneId(1, 1, OTHER), proof(OTHER, BEFORE), 1, 1));
    assertThat(first.state().zone(1).orElseThrow().initiator()).isEqualTo(OTHER);
    assertThat(first.effects())
        .anyMatch(
            effect ->
                effect instanceof Effect.Send(PeerId to, OverlayMessage.Register _)
                    && to.equals(OTHER));
    Step<OverlayState> second =
        receive(
            first.state(),
            THIRD,
            new OverlayMessage.Probe(new ZoneId(1, 1, THIRD), proof(THIRD, BEFORE), 1, 1));
    assertThat(second.state().zone(1)).isEqualTo(first.state().zone(1));
    // Both neighbours have a zone now, so the initiator learns of the adjacent one.
    assertThat(second.effects())
        .anyMatch(
            effect ->
                effect instanceof Effect.Send(PeerId to, OverlayMessage.NeighbourReport report)
                    && to.equals(OTHER)
                    && report.adjacentZones().getFirst().zone().initiator().equals(THIRD));
  }

  @Test
  void theLowestScoreStartsAZoneAndOthersWait() {
    List<PeerId> byScore =
        List.of(SELF, OTHER, THIRD).stream()
            .sorted(
                (a, b) ->
                    ElectionScore.draw(a, secret(a), BEFORE)
                        .score()
                        .compareTo(ElectionScore.draw(b, secret(b), BEFORE).score()))
            .toList();
    OverlayState state = started();
    state = receive(state, OTHER, offer(OTHER, proof(OTHER, BEFORE), 1)).state();
    state = receive(state, THIRD, offer(THIRD, proof(THIRD, BEFORE), 1)).state();
    OverlayState decided =
        overlay.step(state, new Event.TimerFired(2, new Timer("overlay-elect", 257))).state();
    assertThat(decided.zone(1).isPresent()).isEqualTo(byScore.getFirst().equals(SELF));
  }

  @Test
  void aHigherScoreGoesNoFurtherThanALowerOneWent() {
    ElectionScore own = ElectionScore.draw(SELF, secret(SELF), BEFORE).score();
    Step<OverlayState> step = receive(started(), OTHER, offer(OTHER, proof(OTHER, BEFORE), 1));
    ElectionScore other = ElectionScore.draw(OTHER, secret(OTHER), BEFORE).score();
    assertThat(step.effects().isEmpty()).isEqualTo(own.compareTo(other) < 0);
  }
}
