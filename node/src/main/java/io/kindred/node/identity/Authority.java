package io.kindred.node.identity;

import io.kindred.files.OperatorException;
import io.kindred.files.disk.Folders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/** Signs certificates for a network. It needs to be on no node. */
public record Authority(PrivateKey key, X509Certificate certificate) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SERIAL_BITS = 127;

  /** Clocks of machines differ; what is signed now should hold there too. */
  private static final Duration BACKDATED = Duration.ofHours(1);

  private static final Duration AUTHORITY_LASTS = Duration.ofDays(3650);
  private static final Duration MEMBER_LASTS = Duration.ofDays(825);

  private static Path keyFile(Path folder) {
    return folder.resolve("authority.key");
  }

  private static Path certificateFile(Path folder) {
    return folder.resolve("authority.crt");
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
                AUTHORITY_LASTS,
                builder -> {
                  builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
                  builder.addExtension(
                      Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
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

  /** Signs the request in an identity's folder and puts certificate and authority beside it. */
  public X509Certificate issue(Path identityFolder, Member member) {
    Identity.Files files = new Identity.Files(identityFolder);
    X509Certificate issued = sign(requestedKey(files.request()), member);
    Pem.writeNew(files.certificate(), Identity.CERTIFICATE, encoded(issued), false);
    Pem.writeNew(files.authority(), Identity.CERTIFICATE, encoded(certificate), false);
    return issued;
  }

  /** Only who has the key can have signed the request. */
  private static PublicKey requestedKey(Path file) {
    try {
      JcaPKCS10CertificationRequest request =
          new JcaPKCS10CertificationRequest(Pem.read(file, Identity.REQUEST));
      PublicKey key = request.getPublicKey();
      if (request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        return key;
      }
      throw wrong(file + " is not signed with the key that it shows; make it again");
    } catch (IOException | GeneralSecurityException | OperatorCreationException | PKCSException e) {
      throw wrong(file + " is no request for a certificate: " + e.getMessage());
    }
  }

  X509Certificate sign(PublicKey holder, Member member) {
    GeneralNames names =
        new GeneralNames(
            new GeneralName[] {
              new GeneralName(GeneralName.uniformResourceIdentifier, member.uri()),
              new GeneralName(GeneralName.dNSName, member.hostName())
            });
    KeyPurposeId[] purposes = {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
    return sign(
        certificate.getSubjectX500Principal(),
        new X500Principal("CN=" + member.hostName()),
        holder,
        key,
        MEMBER_LASTS,
        builder -> {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
          builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
          builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
          builder.addExtension(Extension.subjectAlternativeName, false, names);
        });
  }

  private interface Extending {
    void addTo(JcaX509v3CertificateBuilder builder) throws CertIOException;
  }

  private static X509Certificate sign(
      X500Principal issuer,
      X500Principal subject,
      PublicKey holder,
      PrivateKey issuerKey,
      Duration lasts,
      Extending extensions) {
    Instant now = Instant.now();
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              serial(),
              Date.from(now.minus(BACKDATED)),
              Date.from(now.plus(lasts)),
              subject,
              holder);
      extensions.addTo(builder);
      byte[] signed =
          builder.build(new JcaContentSignerBuilder(Keys.SIGNATURE).build(issuerKey)).getEncoded();
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(signed));
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
