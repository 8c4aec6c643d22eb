package io.kindred.protocol.vrf;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElectionScoreTest {
  private static final Epoch FIRST = Epoch.zero(new Digest(0, 0, 0, 0));

  @Test
  void seedsAreChained() {
    // Computed with Python's hashlib.
    assertThat(FIRST.next().seed().hex())
        .isEqualTo("08e00266fff0aacc64974f22a53622a7dc458ac1b5fd446ae7c99a4a99a564e6");
    assertThat(FIRST.next().next().seed().hex())
        .isEqualTo("7880a8529a23849942a4626063ef580b48165bc0dec2083b17101ef58b654e0e");
    assertThat(FIRST.next().next().number()).isEqualTo(2);
  }

  @Test
  void aDrawnScoreIsTheOneThatItsProofShows() {
    VrfSecret secret = VrfSecret.derive(new Digest(9, 9, 9, 9));
    PeerId peer = new PeerId(3);
    ElectionScore.ProvenScore provenScore = ElectionScore.draw(peer, secret, FIRST);
    assertThat(ElectionScore.verify(peer, secret.publicKey(), FIRST, provenScore.proof()))
        .hasValue(provenScore.score());
    assertThat(provenScore.score().bits())
        .isEqualTo(Vrf.proofToHash(provenScore.proof()).orElseThrow().a());
  }

  @Test
  void aProofOfAnotherEpochIsRefused() {
    VrfSecret secret = VrfSecret.derive(new Digest(9, 9, 9, 9));
    Bytes proof = ElectionScore.draw(new PeerId(3), secret, FIRST).proof();
    assertThat(ElectionScore.verify(new PeerId(3), secret.publicKey(), FIRST.next(), proof))
        .isEmpty();
  }

  @Test
  void scoresCompareWithoutSignThenByPeer() {
    ElectionScore small = new ElectionScore(1, new PeerId(9));
    ElectionScore smallToo = new ElectionScore(1, new PeerId(10));
    ElectionScore large = new ElectionScore(-1, new PeerId(0));
    List<ElectionScore> electionScores = new ArrayList<>(List.of(large, smallToo, small));
    electionScores.sort(null);
    assertThat(electionScores).containsExactly(small, smallToo, large);
  }

  @Test
  void epochsRotateTheLeast() {
    List<VrfSecret> secrets = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      secrets.add(VrfSecret.derive(new Digest(i, 0, 0, 0)));
    }
    List<PeerId> winners = new ArrayList<>();
    Epoch epoch = FIRST;
    for (int e = 0; e < 8; e++) {
      List<ElectionScore> electionScores = new ArrayList<>();
      for (int i = 0; i < secrets.size(); i++) {
        electionScores.add(ElectionScore.draw(new PeerId(i), secrets.get(i), epoch).score());
      }
      winners.add(Collections.min(electionScores).peer());
      epoch = epoch.next();
    }
    assertThat(winners.stream().distinct().count()).isGreaterThanOrEqualTo(3);
  }
}
