package io.kindred.node.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityTest {
  private static final Member MEMBER = new Member("tiny", new PeerId(3));

  @TempDir private Path home;

  private Identity issued(String name) {
    Path folder = home.resolve(name);
    Identity.create(folder);
    Authority authority =
        Files.exists(home.resolve("ca"))
            ? Authority.read(home.resolve("ca"))
            : Authority.create(home.resolve("ca"));
    authority.issue(folder, MEMBER);
    return Identity.read(folder);
  }

  @Test
  void aCertificateStatesNetworkAndPeerAndHoldsAgainstItsAuthority()
      throws GeneralSecurityException {
    Identity identity = issued("node");
    assertThat(identity.member()).isEqualTo(MEMBER);
    identity.certificate().verify(identity.authority().getPublicKey());
    identity.certificate().checkValidity();
    ECPublicKey key = (ECPublicKey) identity.certificate().getPublicKey();
    assertThat(key.getParams().getOrder().bitLength()).isEqualTo(256);
    assertThat(identity.certificate().getBasicConstraints()).isEqualTo(-1);
    assertThat(identity.authority().getBasicConstraints()).isZero();
  }

  @Test
  void keysAreForTheirOwnerAlone() throws IOException {
    issued("node");
    for (String secret : new String[] {"node/identity.key", "node/vrf.key", "ca/authority.key"}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(secret))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void anIdentityIsNeverReplaced() {
    issued("node");
    assertThatThrownBy(() -> Identity.create(home.resolve("node")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("exists already");
  }

  @Test
  void aCertificateStatesTheKeyThatElectionScoresAreDrawnWith() {
    Identity identity = issued("node");
    assertThat(Identity.electionKey(identity.certificate()))
        .contains(identity.electionSecret().publicKey());
    Authority authority = Authority.read(home.resolve("ca"));
    authority.renew(home.resolve("node"), Revocations.NONE, Validity.ofDays(9));
    assertThat(Identity.electionKey(Identity.read(home.resolve("node")).certificate()))
        .as("renewed")
        .contains(identity.electionSecret().publicKey());
  }

  @Test
  void anElectionKeyThatTheCertificateDoesNotStateIsRefused() throws IOException {
    issued("node");
    issued("other");
    Files.copy(
        home.resolve("other/vrf.key"),
        home.resolve("node/vrf.key"),
        StandardCopyOption.REPLACE_EXISTING);
    Identity identity = Identity.read(home.resolve("node"));
    assertThatThrownBy(identity::electionSecret)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("vrf.key")
        .hasMessageContaining("node init");
  }

  @Test
  void aCertificateForAnotherKeyIsFound() throws IOException {
    issued("node");
    issued("other");
    Files.copy(
        home.resolve("other/identity.crt"),
        home.resolve("node/identity.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> Identity.read(home.resolve("node")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("does not match the key");
  }

  @Test
  void aCertificateOfAnotherAuthorityThanTheOneBesideItIsFound() throws IOException {
    issued("node");
    Authority.create(home.resolve("other-ca"));
    Files.copy(
        home.resolve("other-ca/authority.crt"),
        home.resolve("node/authority.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> Identity.read(home.resolve("node")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("is not signed by")
        .hasMessageContaining("kindred node cert issue");
  }

  @Test
  void aMissingFileIsToldWithItsRemedy() {
    assertThatThrownBy(() -> Identity.read(home.resolve("nobody")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("kindred node init");
  }

  @Test
  void aNetworkIdMustFitIntoAHostName() {
    assertThat(Member.isNetwork("glyphs-4")).isTrue();
    for (String wrong : new String[] {"", "Glyphs", "a.b", "-a", "a-", "a".repeat(64)}) {
      assertThat(Member.isNetwork(wrong)).as(wrong).isFalse();
    }
  }

  @Test
  void aRenewedCertificateIsForTheSameKeyAndPlace() {
    Identity before = issued("node");
    Authority authority = Authority.read(home.resolve("ca"));
    authority.renew(home.resolve("node"), Revocations.NONE, Validity.ofDays(5));
    Identity after = Identity.read(home.resolve("node"));
    assertThat(after.certificate().getPublicKey()).isEqualTo(before.certificate().getPublicKey());
    assertThat(after.member()).isEqualTo(MEMBER);
    assertThat(after.certificate().getSerialNumber())
        .isNotEqualTo(before.certificate().getSerialNumber());
    assertThat(Validity.of(after.certificate()).daysLeft(Instant.now())).isBetween(4L, 5L);
  }

  @Test
  void aRevokedCertificateIsNotRenewedNorStartedWith() throws IOException {
    Identity identity = issued("node");
    Identity other = issued("other");
    Path ca = home.resolve("ca");
    Authority authority = Authority.read(ca);
    assertThat(authority.revoke(ca, other.certificate())).isTrue();
    assertThat(authority.revoke(ca, identity.certificate())).isTrue();
    assertThat(authority.revoke(ca, identity.certificate())).isFalse();
    Revocations list = authority.revocations(ca);
    assertThat(list.count()).isEqualTo(2);
    assertThat(list.revokedAt(other.certificate())).isPresent();
    assertThatThrownBy(() -> authority.renew(home.resolve("node"), list, Validity.ofDays(5)))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("was revoked at")
        .hasMessageContaining("node init");
    Files.copy(Authority.revocationsFile(ca), home.resolve("node/revoked.crl"));
    assertThatThrownBy(() -> Identity.read(home.resolve("node")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("was revoked at");
  }

  @Test
  void anAuthorityTakesBackOnlyWhatItSigned() {
    Identity identity = issued("node");
    Authority foreign = Authority.create(home.resolve("foreign"));
    assertThatThrownBy(() -> foreign.revoke(home.resolve("foreign"), identity.certificate()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("not by this authority");
  }

  @Test
  void anExpiredCertificateIsToldWithTheWayToRenewIt() {
    Identity.create(home.resolve("node"));
    Instant end = Instant.now().minus(Duration.ofHours(1));
    Authority.create(home.resolve("ca"))
        .issue(home.resolve("node"), MEMBER, new Validity(end.minus(Duration.ofDays(1)), end));
    assertThatThrownBy(() -> Identity.read(home.resolve("node")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("expired at")
        .hasMessageContaining("cert renew");
  }

  /** An authority that copies no extension from the request leaves the key for elections out. */
  @Test
  void anExternalChainIsAcceptedButNotForElectionsWithoutTheExtension() throws Exception {
    Path folder = home.resolve("node");
    Identity.create(folder, Optional.of(MEMBER));
    new ForeignAuthority().intermediate("CN=between").issue(folder);
    Identity identity = Identity.read(folder);
    assertThat(identity.member()).isEqualTo(MEMBER);
    assertThat(identity.credentials().chain()).hasSize(2);
    assertThatThrownBy(identity::electionSecret)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("requested extensions");
  }
}
