package io.kindred.node.identity;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/** An authority of other software, which knows only what a certificate request asks for. */
public final class ForeignAuthority {
  private static final X500Name ROOT = new X500Name("CN=root");

  private final KeyPair root = Keys.generate();

  /** An intermediate authority that this one certifies. */
  public Intermediate intermediate(String name) {
    return new Intermediate(new X500Name(name));
  }

  /** An intermediate authority, which signs the certificates of members. */
  public final class Intermediate {
    private final KeyPair pair = Keys.generate();
    private final X500Name name;

    private Intermediate(X500Name name) {
      this.name = name;
    }

    /** Signs a request as most tools do, with the names that it asks for. */
    public void issue(Path folder) throws Exception {
      Identity.IdentityFiles identityFiles = new Identity.IdentityFiles(folder);
      PKCS10CertificationRequest request =
          new PKCS10CertificationRequest(Pem.read(identityFiles.request(), Identity.REQUEST));
      Extensions asked =
          Extensions.getInstance(
              request
                  .getAttributes(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)[0]
                  .getAttrValues()
                  .getObjectAt(0));
      X509v3CertificateBuilder leaf =
          builder(name, request.getSubject(), request.getSubjectPublicKeyInfo());
      leaf.addExtension(asked.getExtension(Extension.subjectAlternativeName));
      X509v3CertificateBuilder middle = builder(ROOT, name, info(pair));
      middle.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      X509v3CertificateBuilder top = builder(ROOT, ROOT, info(root));
      top.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      Files.writeString(
          identityFiles.certificate(), signed(leaf, pair) + "\n" + signed(middle, root));
      Files.writeString(identityFiles.authority(), "Some words before\n" + signed(top, root));
    }
  }

  private static SubjectPublicKeyInfo info(KeyPair pair) {
    return SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded());
  }

  private static X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, SubjectPublicKeyInfo key) {
    Instant now = Instant.now();
    return new X509v3CertificateBuilder(
        issuer,
        BigInteger.valueOf(now.toEpochMilli()),
        Date.from(now.minus(Duration.ofHours(1))),
        Date.from(now.plus(Duration.ofDays(1))),
        subject,
        key);
  }

  private static String signed(X509v3CertificateBuilder builder, KeyPair signer) throws Exception {
    return Pem.text(
        Identity.CERTIFICATE,
        builder
            .build(new JcaContentSignerBuilder(Keys.SIGNATURE).build(signer.getPrivate()))
            .getEncoded());
  }
}
