package io.kindred.node.identity;

import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The certificate authority of a network: issues, renews and revokes certificates. No node needs
 * the authority's key.
 */
public record Authority(PrivateKey key, X509Certificate certificate) {
  /** Validity of a member's certificate if the operator names no other. */
  public static final int DEFAULT_VALIDITY_DAYS = 825;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SERIAL_BITS = 127;
  private static final int AUTHORITY_DAYS = 3650;

  private static Path keyFile(Path folder) {
    return folder.resolve("authority.key");
  }

  private static Path certificateFile(Path folder) {
    return folder.resolve("authority.crt");
  }

  /** The revocation list in an authority's folder; nodes keep a copy beside their keys. */
  public static Path revocationsFile(Path folder) {
    return folder.resolve("revoked.crl");
  }

  /** Creates an authority in a folder that has none. */
  public static Authority create(Path folder) {
    Folders.requireWritable(folder);
    KeyPair pair = Keys.generate();
    X500Principal name = new X500Principal("CN=kindred authority " + serial().toString(36));
    Authority authority =
        new Authority(
            pair.getPrivate(),
            sign(
                name,
                name,
                pair.getPublic(),
                pair.getPrivate(),
                Validity.ofDays(AUTHORITY_DAYS),
                builder -> {
                  builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
                  builder.addExtension(
                      Extension.keyUsage,
                      true,
                      new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
                }));
    Pem.writeNew(keyFile(folder), Identity.KEY, pair.getPrivate().getEncoded(), true);
    Pem.writeNew(
        certificateFile(folder), Identity.CERTIFICATE, encoded(authority.certificate()), false);
    return authority;
  }

  public static Authority read(Path folder) {
    return new Authority(
        Identity.privateKey(keyFile(folder)), Identity.certificate(certificateFile(folder)));
  }

  /** The certificates that this authority has revoked so far. */
  public Revocations revocations(Path folder) {
    return Revocations.read(revocationsFile(folder), List.of(certificate));
  }

  /**
   * Signs a certificate request as an operator asks for it, and adds it to the index. A peer that
   * has a valid certificate gets a second one only as a replacement, and the first is then revoked.
   *
   * @return how many earlier certificates were revoked
   */
  public int issueIndexed(
      Path folder, Path identityFolder, Member member, Validity validity, boolean replaces) {
    IssuedCertificates index = new IssuedCertificates(folder);
    List<X509Certificate> earlier = index.valid(member, revocations(folder));
    if (!earlier.isEmpty() && !replaces) {
      throw wrong(
          ("%s has certificate %s already, valid until %s; renew it with 'kindred node cert renew',"
                  + " or issue another with --replace, which revokes it")
              .formatted(
                  member,
                  earlier.getLast().getSerialNumber().toString(16),
                  Validity.of(earlier.getLast()).until()));
    }
    X509Certificate issued = issue(identityFolder, member, validity);
    index.add(issued);
    earlier.forEach(each -> revoke(folder, each));
    return earlier.size();
  }

  /** Renews a certificate as an operator asks for it, and adds the new one to the index. */
  public X509Certificate renewIndexed(Path folder, Path identityFolder, Validity validity) {
    X509Certificate renewed = renew(identityFolder, revocations(folder), validity);
    new IssuedCertificates(folder).add(renewed);
    return renewed;
  }

  /** Signs a certificate request with the default validity. */
  public X509Certificate issue(Path identityFolder, Member member) {
    return issue(identityFolder, member, Validity.ofDays(DEFAULT_VALIDITY_DAYS));
  }

  /**
   * Signs the certificate request in an identity's folder and writes the certificate and the
   * authority's certificate beside it.
   */
  public X509Certificate issue(Path identityFolder, Member member, Validity validity) {
    Identity.IdentityFiles identityFiles = new Identity.IdentityFiles(identityFolder);
    X509Certificate issued =
        sign(CertificateRequests.verifiedKeys(identityFiles.request()), member, validity);
    Pem.writeNew(identityFiles.certificate(), Identity.CERTIFICATE, encoded(issued), false);
    Pem.writeNew(identityFiles.authority(), Identity.CERTIFICATE, encoded(certificate), false);
    return issued;
  }

  /**
   * Replaces an identity's certificate by a new one for the same key and member. A running node
   * loads it without a restart.
   */
  public X509Certificate renew(Path identityFolder, Revocations revocations, Validity validity) {
    Identity.IdentityFiles identityFiles = new Identity.IdentityFiles(identityFolder);
    X509Certificate old = Identity.certificate(identityFiles.certificate());
    requireIssuedHere(identityFiles.certificate(), old);
    revocations
        .revokedAt(old)
        .ifPresent(
            since -> {
              throw wrong(
                  "%s was revoked at %s; make a new identity with 'kindred node init'"
                      .formatted(identityFiles.certificate(), since));
            });
    Member member =
        Member.of(old)
            .orElseThrow(
                () ->
                    wrong(
                        identityFiles.certificate()
                            + " names no network and peer; issue another with 'kindred node cert"
                            + " issue'"));
    X509Certificate renewed =
        sign(
            new CertificateRequests.RequestedKeys(old.getPublicKey(), ElectionKey.of(old)),
            member,
            validity);
    Pem.replace(identityFiles.certificate(), Identity.CERTIFICATE, encoded(renewed));
    return renewed;
  }

  /** Revokes a certificate; returns false if it was revoked already. */
  public boolean revoke(Path folder, X509Certificate revoked) {
    requireIssuedHere(folder, revoked);
    Revocations before = revocations(folder);
    if (before.revokedAt(revoked).isPresent()) {
      return false;
    }
    Pem.replace(
        revocationsFile(folder), Revocations.PEM_LABEL, encodeRevocationList(before, revoked));
    return true;
  }

  private byte[] encodeRevocationList(Revocations before, X509Certificate revoked) {
    Date now = Date.from(Instant.now());
    X509v2CRLBuilder builder = new JcaX509v2CRLBuilder(certificate.getSubjectX500Principal(), now);
    // A node that misses an update must keep working, so every list is valid as long as the
    // authority.
    builder.setNextUpdate(certificate.getNotAfter());
    int count = 1;
    for (X509CRL list : before.lists()) {
      Set<? extends X509CRLEntry> entries = list.getRevokedCertificates();
      for (X509CRLEntry each : entries == null ? Set.<X509CRLEntry>of() : entries) {
        builder.addCRLEntry(
            each.getSerialNumber(), each.getRevocationDate(), CRLReason.unspecified);
        count++;
      }
    }
    builder.addCRLEntry(revoked.getSerialNumber(), now, CRLReason.unspecified);
    try {
      builder.addExtension(Extension.cRLNumber, false, new CRLNumber(BigInteger.valueOf(count)));
      return builder.build(new JcaContentSignerBuilder(Keys.SIGNATURE).build(key)).getEncoded();
    } catch (OperatorCreationException e) {
      throw new IllegalStateException("signing a list with a P-256 key", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireIssuedHere(Path where, X509Certificate other) {
    try {
      other.verify(certificate.getPublicKey());
    } catch (GeneralSecurityException foreign) {
      throw wrong(
          ("the certificate in %s was issued by %s, not by this authority; name the"
                  + " authority that signed it")
              .formatted(where, other.getIssuerX500Principal().getName()));
    }
  }

  /** Signs a certificate that binds a public key to a member, without a key for elections. */
  public X509Certificate sign(PublicKey holder, Member member, Validity validity) {
    return sign(new CertificateRequests.RequestedKeys(holder, Optional.empty()), member, validity);
  }

  private X509Certificate sign(
      CertificateRequests.RequestedKeys keys, Member member, Validity validity) {
    KeyPurposeId[] purposes = {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
    return sign(
        certificate.getSubjectX500Principal(),
        new X500Principal("CN=" + member.hostName()),
        keys.holder(),
        key,
        validity,
        builder -> {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
          builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
          builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
          builder.addExtension(
              Extension.subjectAlternativeName,
              false,
              CertificateRequests.alternativeNames(member));
          if (keys.electionKey().isPresent()) {
            builder.addExtension(ElectionKey.extension(keys.electionKey().get()));
          }
        });
  }

  private interface ExtensionWriter {
    void addTo(JcaX509v3CertificateBuilder builder) throws CertIOException;
  }

  private static X509Certificate sign(
      X500Principal issuer,
      X500Principal subject,
      PublicKey holder,
      PrivateKey issuerKey,
      Validity validity,
      ExtensionWriter extensions) {
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              serial(),
              Date.from(validity.from()),
              Date.from(validity.until()),
              subject,
              holder);
      extensions.addTo(builder);
      return Identity.decoded(
          builder.build(new JcaContentSignerBuilder(Keys.SIGNATURE).build(issuerKey)).getEncoded());
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new IllegalStateException("signing a certificate with a P-256 key", e);
    }
  }

  private static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, RANDOM);
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was just signed", e);
    }
  }

  private static OperatorException wrong(String line) {
    return new OperatorException(OperatorException.WRONG_USE, line);
  }
}
