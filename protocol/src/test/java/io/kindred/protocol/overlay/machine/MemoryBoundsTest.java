package io.kindred.protocol.overlay.machine;

import static io.kindred.protocol.overlay.machine.OverlayFixtures.OTHER;
import static io.kindred.protocol.overlay.machine.OverlayFixtures.SELF;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;
import io.kindred.protocol.overlay.ProofVerifier;
import io.kindred.protocol.overlay.formation.FormationProtocol;
import io.kindred.protocol.overlay.formation.FormationState;
import io.kindred.protocol.overlay.formation.LevelState;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.Vrf;
import io.kindred.protocol.vrf.VrfSecret;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The amount that a peer stores of received messages is bounded. */
class MemoryBoundsTest {
  private final Overlay overlay = OverlayFixtures.overlay(MaintenanceSettings.DISABLED);

  private static ScoreOffer offer(int level) {
    return new ScoreOffer(1, level, OTHER, Bytes.wrap(new byte[0]), 1);
  }

  private static OverlayState keeping(int messages) {
    LevelState.EarlyMessage earlyMessage = new LevelState.EarlyMessage(OTHER, offer(3));
    LevelState fresh = LevelState.initial(3);
    LevelState waiting =
        new LevelState(
            3,
            false,
            List.of(),
            fresh.election(),
            fresh.assignment(),
            fresh.neighbourZones(),
            Collections.nCopies(messages, earlyMessage));
    return OverlayFixtures.state(
        OverlayFixtures.emptyEpoch()
            .with(
                new FormationState(
                    Optional.empty(),
                    new TreeMap<>(Map.of(3, waiting)),
                    new TreeMap<>(),
                    new TreeMap<>())));
  }

  @Test
  void whatComesTooEarlyIsKeptUpToABound() {
    for (int level : new int[] {2, 3}) {
      OverlayState full = keeping(FormationProtocol.MAX_EARLY_MESSAGES);
      Step<OverlayState> step = OverlayFixtures.receive(overlay, full, OTHER, offer(level));
      assertThat(OverlayFixtures.counted(step, "overlay-too-early")).isOne();
      assertThat(step.state()).isEqualTo(full);
      OverlayState last = keeping(FormationProtocol.MAX_EARLY_MESSAGES - 1);
      assertThat(OverlayFixtures.receive(overlay, last, OTHER, offer(level)).state())
          .isNotEqualTo(last);
    }
  }

  @Test
  void onlyProofsThatHoldAreRemembered() {
    VrfSecret secret = VrfSecret.derive(Digest.of(new byte[] {3}));
    Epoch before = ElectionsTest.BEFORE;
    List<Bytes> asked = new ArrayList<>();
    ProofVerifier verifier =
        ProofVerifier.caching(recording(ProofVerifier.uncached(_ -> key(secret)), asked));
    Bytes right = verifier.draw(SELF, secret, before).proof();
    Bytes wrong = Bytes.wrap(new byte[Vrf.PROOF_BYTES]);
    Bytes endless = Bytes.wrap(new byte[1_000_000]);
    for (int time = 0; time < 2; time++) {
      assertThat(verifier.verify(SELF, before, right)).isPresent();
      assertThat(verifier.verify(SELF, before, wrong)).isEmpty();
      assertThat(verifier.verify(SELF, before, endless)).isEmpty();
    }
    assertThat(asked).containsExactly(right, wrong, wrong);
  }

  private static Optional<Bytes> key(VrfSecret secret) {
    return Optional.of(secret.publicKey());
  }

  private static ProofVerifier recording(ProofVerifier verifier, List<Bytes> asked) {
    return new ProofVerifier() {
      @Override
      public ElectionScore.ProvenScore draw(PeerId peer, VrfSecret secret, Epoch before) {
        return verifier.draw(peer, secret, before);
      }

      @Override
      public Optional<ElectionScore> verify(PeerId peer, Epoch before, Bytes proof) {
        asked.add(proof);
        return verifier.verify(peer, before, proof);
      }
    };
  }
}
