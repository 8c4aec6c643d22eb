package io.kindred.node.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.node.TinyNetwork;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.overlay.OverlayMessage.Probe;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;
import io.kindred.protocol.vrf.Epoch;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElectionCertificatesTest {
  private static final long SEED = 8_315_607;
  private static final int PEERS = 4;
  private static final PeerId OTHER = new PeerId(2);

  @TempDir private Path home;
  private TinyNetwork network;
  private Identity own;
  private ElectionCertificates certificates;

  @SuppressWarnings("NullAway.Init") // set before each test
  ElectionCertificatesTest() {}

  @BeforeEach
  void open() {
    network = new TinyNetwork(home, PEERS, 1);
    own = network.identity(0);
    certificates = opened();
  }

  private ElectionCertificates opened() {
    return new ElectionCertificates(
        home.resolve("elections.crt"), PEERS, PeerTrustManager.memberVerifier(own));
  }

  private ElectionIdentity elections(ElectionCertificates known, Identity identity) {
    return known.elections(SEED, identity::electionSecret).apply(identity.member().peer().number());
  }

  private Bytes proof(ElectionIdentity drawing, PeerId peer, Epoch before) {
    return drawing.verifier().draw(peer, drawing.secret(), before).proof();
  }

  private boolean accepts(Bytes proof) {
    ElectionIdentity checking = elections(certificates, own);
    return checking.verifier().verify(OTHER, checking.previousEpoch(), proof).isPresent();
  }

  @Test
  void aProofIsAcceptedOnceThePeersCertificateIsKnown() {
    ElectionIdentity drawing = elections(certificates, network.identity(2));
    Bytes proof = proof(drawing, OTHER, drawing.previousEpoch());
    assertThat(accepts(proof)).as("unknown peer").isFalse();
    certificates.learn(List.of(network.identity(2).certificate()));
    assertThat(accepts(proof)).isTrue();
    assertThat(accepts(proof(drawing, OTHER, drawing.previousEpoch().next())))
        .as("of another epoch")
        .isFalse();
  }

  /** What a program computes that knows the experiment, but no key of another node. */
  @Test
  void aProofForgedFromTheSeedOfTheExperimentIsRefused() {
    certificates.learn(List.of(network.identity(2).certificate()));
    ElectionIdentity computed = ElectionIdentity.fromSeed(SEED, PEERS).apply(OTHER.number());
    Bytes forged = proof(computed, OTHER, computed.previousEpoch());
    assertThat(computed.verifier().verify(OTHER, computed.previousEpoch(), forged))
        .as("what a simulation accepts")
        .isPresent();
    assertThat(accepts(forged)).isFalse();
  }

  @Test
  void theKeyOfAnotherMemberDoesNotProveAScore() {
    certificates.learn(
        List.of(network.identity(2).certificate(), network.identity(3).certificate()));
    ElectionIdentity another = elections(certificates, network.identity(3));
    assertThat(accepts(proof(another, OTHER, another.previousEpoch()))).isFalse();
  }

  @Test
  void certificatesOfOtherAuthoritiesAndBeyondThePeersAreNotLearned() {
    Authority foreign = Authority.create(home.resolve("foreign"));
    Identity stranger =
        network.identity("stranger", foreign, new Member(TinyNetwork.NETWORK, OTHER));
    certificates.learn(List.of(stranger.certificate()));
    ElectionIdentity drawing = elections(certificates, stranger);
    assertThat(accepts(proof(drawing, OTHER, drawing.previousEpoch()))).isFalse();
    Identity monitor =
        network.identity(
            "monitor", network.authority(), new Member(TinyNetwork.NETWORK, new PeerId(PEERS)));
    certificates.learn(List.of(monitor.certificate()));
    assertThat(home.resolve("elections.crt")).doesNotExist();
  }

  @Test
  void certificatesAreKeptForARestart() {
    certificates.learn(List.of(network.identity(2).certificate()));
    ElectionIdentity drawing = elections(certificates, network.identity(2));
    certificates = opened();
    assertThat(accepts(proof(drawing, OTHER, drawing.previousEpoch()))).isTrue();
  }

  @Test
  void aMessageBringsTheCertificateOfThePeerWhoseProofItHas() {
    X509Certificate theirs = network.identity(2).certificate();
    certificates.learn(List.of(theirs));
    Bytes proof = Bytes.of((byte) 1);
    PeerId self = own.member().peer();
    assertThat(
            certificates.neededBy(new ScoreOffer(0, 1, OTHER, proof, 1), self, own.certificate()))
        .containsExactly(theirs);
    assertThat(
            certificates.neededBy(
                new Probe(new ZoneId(0, 1, self), proof, 1, 1), self, own.certificate()))
        .containsExactly(own.certificate());
  }
}
