package io.kindred.protocol.overlay;

import static io.kindred.protocol.overlay.Scenes.OTHER;
import static io.kindred.protocol.overlay.Scenes.SELF;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.election.Epoch;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.election.Vrf;
import io.kindred.protocol.election.VrfSecret;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a peer remembers of what others send has an end. */
class BoundsTest {
  private final Overlay overlay = Scenes.overlay(LifeRule.NONE);

  private static ScoreOffer offer(int level) {
    return new ScoreOffer(1, level, OTHER, Bytes.wrap(new byte[0]), 1);
  }

  private static OverlayState keeping(int messages) {
    Vertex.Envelope envelope = new Vertex.Envelope(OTHER, offer(3));
    Vertex fresh = Vertex.fresh(3);
    Vertex waiting =
        new Vertex(
            3,
            false,
            List.of(),
            fresh.ballot(),
            fresh.residence(),
            fresh.frontier(),
            Collections.nCopies(messages, envelope));
    return Scenes.state(
        Scenes.blank()
            .with(
                new Era.Formation(
                    Optional.empty(),
                    new TreeMap<>(Map.of(3, waiting)),
                    new TreeMap<>(),
                    new TreeMap<>())));
  }

  @Test
  void whatComesTooEarlyIsKeptUpToABound() {
    for (int level : new int[] {2, 3}) {
      OverlayState full = keeping(Elections.MOST_EARLY);
      Step<OverlayState> step = Scenes.receive(overlay, full, OTHER, offer(level));
      assertThat(Scenes.counted(step, "overlay-too-early")).isOne();
      assertThat(step.state()).isEqualTo(full);
      OverlayState last = keeping(Elections.MOST_EARLY - 1);
      assertThat(Scenes.receive(overlay, last, OTHER, offer(level)).state()).isNotEqualTo(last);
    }
  }

  @Test
  void onlyProofsThatHoldAreRemembered() {
    VrfSecret secret = VrfSecret.derive(Digest.of(new byte[] {3}));
    Epoch before = ElectionsTest.BEFORE;
    List<Bytes> asked = new ArrayList<>();
    Proofs proofs = Proofs.remembering(recording(Proofs.plain(_ -> key(secret)), asked));
    Bytes right = proofs.draw(SELF, secret, before).proof();
    Bytes wrong = Bytes.wrap(new byte[Vrf.PROOF_BYTES]);
    Bytes endless = Bytes.wrap(new byte[1_000_000]);
    for (int time = 0; time < 2; time++) {
      assertThat(proofs.check(SELF, before, right)).isPresent();
      assertThat(proofs.check(SELF, before, wrong)).isEmpty();
      assertThat(proofs.check(SELF, before, endless)).isEmpty();
    }
    assertThat(asked).containsExactly(right, wrong, wrong);
  }

  private static Optional<Bytes> key(VrfSecret secret) {
    return Optional.of(secret.publicKey());
  }

  private static Proofs recording(Proofs proofs, List<Bytes> asked) {
    return new Proofs() {
      @Override
      public Score.Drawn draw(PeerId peer, VrfSecret secret, Epoch before) {
        return proofs.draw(peer, secret, before);
      }

      @Override
      public Optional<Score> check(PeerId peer, Epoch before, Bytes proof) {
        asked.add(proof);
        return proofs.check(peer, before, proof);
      }
    };
  }
}
