package io.kindred.node.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthorityTest {
  private static final Member MEMBER = new Member("tiny", new PeerId(3));
  private static final Validity WEEK = Validity.ofDays(7);

  @TempDir private Path home;
  private Path folder;
  private Authority authority;

  @SuppressWarnings("NullAway.Init") // set before each test
  AuthorityTest() {}

  @BeforeEach
  void create() {
    folder = home.resolve("ca");
    authority = Authority.create(folder);
    Identity.create(home.resolve("first"));
    Identity.create(home.resolve("second"));
  }

  private int issue(String name, Member member, boolean replaces) {
    return authority.issueIndexed(folder, home.resolve(name), member, WEEK, replaces);
  }

  @Test
  void aSecondCertificateForOnePeerIsRefused() {
    issue("first", MEMBER, false);
    assertThatThrownBy(() -> issue("second", MEMBER, false))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("--replace");
    assertThat(home.resolve("second/identity.crt")).doesNotExist();
    issue("second", new Member("tiny", new PeerId(4)), false);
  }

  @Test
  void aReplacementRevokesTheFirstCertificate() {
    issue("first", MEMBER, false);
    assertThat(issue("second", MEMBER, true)).isEqualTo(1);
    Revocations revocations = authority.revocations(folder);
    assertThat(revocations.revokedAt(Identity.certificate(home.resolve("first/identity.crt"))))
        .isPresent();
    assertThat(revocations.revokedAt(Identity.certificate(home.resolve("second/identity.crt"))))
        .isEmpty();
  }

  @Test
  void afterARevocationAPeerGetsANewCertificateWithoutReplacing() {
    issue("first", MEMBER, false);
    authority.revoke(folder, Identity.certificate(home.resolve("first/identity.crt")));
    assertThat(issue("second", MEMBER, false)).isZero();
  }

  @Test
  void aRenewedCertificateIsOfTheSamePeerAndIndexed() {
    issue("first", MEMBER, false);
    authority.renewIndexed(folder, home.resolve("first"), WEEK);
    IssuedCertificates index = new IssuedCertificates(folder);
    assertThat(index.all()).hasSize(2);
    assertThat(index.valid(MEMBER, Revocations.NONE)).hasSize(2);
    assertThatThrownBy(() -> issue("second", MEMBER, false)).isInstanceOf(OperatorException.class);
  }

  @Test
  void aDamagedIndexIsNamedWithItsLine() throws IOException {
    issue("first", MEMBER, false);
    Files.writeString(
        folder.resolve("issued.jsonl"),
        Files.readString(folder.resolve("issued.jsonl")) + "{\"certificate\":\"AAAA\"}\n");
    assertThatThrownBy(() -> issue("second", MEMBER, false))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("line 2");
  }

  @Test
  void onlyANewerListOfATrustedAuthorityTakesThePlaceOfAnother() {
    issue("first", MEMBER, false);
    authority.revoke(folder, Identity.certificate(home.resolve("first/identity.crt")));
    Revocations older = authority.revocations(folder);
    issue("second", MEMBER, false);
    authority.revoke(folder, Identity.certificate(home.resolve("second/identity.crt")));
    Revocations newer = authority.revocations(folder);
    List<X509Certificate> issuers = List.of(authority.certificate());
    assertThat(older.mergedWith(newer.lists(), issuers)).isEqualTo(newer);
    assertThat(newer.mergedWith(older.lists(), issuers)).isEqualTo(newer);
    assertThat(Revocations.NONE.mergedWith(newer.lists(), issuers)).isEqualTo(newer);
    Authority foreign = Authority.create(home.resolve("foreign"));
    assertThat(Revocations.NONE.mergedWith(newer.lists(), List.of(foreign.certificate())))
        .isEqualTo(Revocations.NONE);
  }
}
