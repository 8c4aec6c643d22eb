package io.kindred.node.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.PeerId;
import io.kindred.files.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPublicKey;
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
        .hasMessageContaining("is there already");
  }

  @Test
  void aVrfKeyThatTheIdentityDidNotSignIsFound() throws IOException {
    issued("node");
    issued("other");
    Files.copy(
        home.resolve("other/vrf.pub"),
        home.resolve("node/vrf.pub"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> Identity.read(home.resolve("node")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("vrf.sig");
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
        .hasMessageContaining("is not for the key");
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
}
