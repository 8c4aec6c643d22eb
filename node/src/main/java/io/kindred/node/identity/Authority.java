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

/** Signs certificates for a network, and takes them back. It needs to be on no node. */
public record Authority(PrivateKey key, X509Certificate certificate) {
  /** How long a member's certificate lasts unless somebody says otherwise. */
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

  /** Where an authority keeps what it has taken back; nodes have a copy beside their keys. */
  public static Path revocationsFile(Path folder) {
    return folder.resolve("revoked.crl");
  }

  /** Makes an authority in a folder that has none. */
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

  /** What an authority has taken back so far. */
  public Revocations revocations(Path folder) {
    return Revocations.read(revocationsFile(folder), List.of(certificate));
  }

  /** Signs a request for the usual time. */
  public X509Certificate issue(Path identityFolder, Member member) {
    return issue(identityFolder, member, Validity.ofDays(DEFAULT_VALIDITY_DAYS));
  }

  /** Signs the request in an identity's folder and puts certificate and authority beside it. */
  public X509Certificate issue(Path identityFolder, Member member, Validity validity) {
    Identity.IdentityFiles identityFiles = new Identity.IdentityFiles(identityFolder);
    X509Certificate issued =
        sign(CertificateRequests.verifiedKey(identityFiles.request()), member, validity);
    Pem.writeNew(identityFiles.certificate(), Identity.CERTIFICATE, encoded(issued), false);
    Pem.writeNew(identityFiles.authority(), Identity.CERTIFICATE, encoded(certificate), false);
    return issued;
  }

  /**
   * Puts a new certificate for the same key and place over the one that an identity has; a node
   * that runs takes it without a restart.
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
                            + " names no network and peer; issue another with 'kindred node cert issue'"));
    X509Certificate renewed = sign(old.getPublicKey(), member, validity);
    Pem.replace(identityFiles.certificate(), Identity.CERTIFICATE, encoded(renewed));
    return renewed;
  }

  /** Takes a certificate back; answers whether that is news. */
  public boolean revoke(Path folder, X509Certificate taken) {
    requireIssuedHere(folder, taken);
    Revocations before = revocations(folder);
    if (before.revokedAt(taken).isPresent()) {
      return false;
    }
    Pem.replace(
        revocationsFile(folder), Revocations.PEM_LABEL, encodeRevocationList(before, taken));
    return true;
  }

  private byte[] encodeRevocationList(Revocations before, X509Certificate taken) {
    Date now = Date.from(Instant.now());
    X509v2CRLBuilder builder = new JcaX509v2CRLBuilder(certificate.getSubjectX500Principal(), now);
    // Whoever misses a list must not be locked out, so each holds as long as the authority does.
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
    builder.addCRLEntry(taken.getSerialNumber(), now, CRLReason.unspecified);
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
          "the certificate in %s is of %s, not of this authority; name the one that signed it"
              .formatted(where, other.getIssuerX500Principal().getName()));
    }
  }

  /** A certificate for somebody's key and place. */
  public X509Certificate sign(PublicKey holder, Member member, Validity validity) {
    KeyPurposeId[] purposes = {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
    return sign(
        certificate.getSubjectX500Principal(),
        new X500Principal("CN=" + member.hostName()),
        holder,
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
