package io.kindred.node.identity;

import io.kindred.files.OperatorException;
import io.kindred.files.disk.Folders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * Who a node is: a key that its certificate vouches for, and a second key for verifiable random
 * draws that the first one vouches for. The two are apart so that the code that draws never touches
 * the key that identifies.
 *
 * @param certificate what an authority says of the key
 * @param authority whose word counts in this network
 */
public record Identity(PrivateKey key, X509Certificate certificate, X509Certificate authority) {
  static final String KEY = "PRIVATE KEY";
  static final String PUBLIC_KEY = "PUBLIC KEY";
  static final String CERTIFICATE = "CERTIFICATE";
  static final String REQUEST = "CERTIFICATE REQUEST";
  private static final String VRF_SIGNATURE = "KINDRED VRF KEY SIGNATURE";

  /** Signed before the key itself, so that the signature can mean nothing else. */
  private static final byte[] VRF_PURPOSE = "kindred vrf key 1".getBytes(StandardCharsets.US_ASCII);

  /** The names inside an identity's folder. */
  public record Files(Path folder) {
    public Path key() {
      return folder.resolve("identity.key");
    }

    public Path request() {
      return folder.resolve("identity.csr");
    }

    public Path certificate() {
      return folder.resolve("identity.crt");
    }

    public Path authority() {
      return folder.resolve("authority.crt");
    }

    public Path vrfKey() {
      return folder.resolve("vrf.key");
    }

    public Path vrfPublic() {
      return folder.resolve("vrf.pub");
    }

    public Path vrfSignature() {
      return folder.resolve("vrf.sig");
    }
  }

  /** Makes both keys and a request for a certificate in a folder that has none. */
  public static void create(Path folder) {
    Folders.requireWritable(folder);
    Files files = new Files(folder);
    KeyPair identity = Keys.generate();
    KeyPair vrf = Keys.generate();
    Pem.writeNew(files.key(), KEY, identity.getPrivate().getEncoded(), true);
    Pem.writeNew(files.vrfKey(), KEY, vrf.getPrivate().getEncoded(), true);
    byte[] vrfPublic = vrf.getPublic().getEncoded();
    Pem.writeNew(files.vrfPublic(), PUBLIC_KEY, vrfPublic, false);
    Pem.writeNew(
        files.vrfSignature(),
        VRF_SIGNATURE,
        Keys.sign(identity.getPrivate(), vrfStatement(vrfPublic)),
        false);
    Pem.writeNew(files.request(), REQUEST, request(identity), false);
  }

  private static byte[] vrfStatement(byte[] vrfPublic) {
    byte[] statement = Arrays.copyOf(VRF_PURPOSE, VRF_PURPOSE.length + vrfPublic.length);
    System.arraycopy(vrfPublic, 0, statement, VRF_PURPOSE.length, vrfPublic.length);
    return statement;
  }

  /** The authority decides what the key's owner is called; a request only shows the key. */
  private static byte[] request(KeyPair pair) {
    try {
      return new JcaPKCS10CertificationRequestBuilder(
              new X500Principal("CN=kindred node"), pair.getPublic())
          .build(new JcaContentSignerBuilder(Keys.SIGNATURE).build(pair.getPrivate()))
          .getEncoded();
    } catch (OperatorCreationException e) {
      throw new IllegalStateException("signing a request with a P-256 key", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads an identity that an authority has signed, and checks that its parts belong together. */
  public static Identity read(Path folder) {
    Files files = new Files(folder);
    X509Certificate certificate = certificate(files.certificate());
    Identity identity =
        new Identity(privateKey(files.key()), certificate, certificate(files.authority()));
    byte[] probe = VRF_PURPOSE.clone();
    if (!Keys.verifies(certificate.getPublicKey(), probe, Keys.sign(identity.key(), probe))) {
      throw wrong(
          "%s is not for the key %s; put key and certificate of one identity together"
              .formatted(files.certificate(), files.key()));
    }
    requireIssued(files, identity);
    if (!vrfVouchedFor(files, certificate.getPublicKey())) {
      throw wrong(
          "%s is not the identity's word for %s; put the files of one 'kindred node init' together"
              .formatted(files.vrfSignature(), files.vrfPublic()));
    }
    return identity;
  }

  /** Others would refuse it; who starts a node should hear of that here. */
  private static void requireIssued(Files files, Identity identity) {
    String remedy = "; issue another with 'kindred node cert issue' in a new folder";
    try {
      identity.certificate().checkValidity();
      identity.certificate().verify(identity.authority().getPublicKey());
    } catch (CertificateExpiredException | CertificateNotYetValidException e) {
      throw wrong(
          "%s is valid from %s to %s only%s"
              .formatted(
                  files.certificate(),
                  identity.certificate().getNotBefore().toInstant(),
                  identity.certificate().getNotAfter().toInstant(),
                  remedy));
    } catch (GeneralSecurityException e) {
      throw wrong(files.certificate() + " is not signed by " + files.authority() + remedy);
    }
  }

  private static boolean vrfVouchedFor(Files files, PublicKey key) {
    byte[] vrfPublic = Pem.read(files.vrfPublic(), PUBLIC_KEY);
    return Keys.verifies(
        key, vrfStatement(vrfPublic), Pem.read(files.vrfSignature(), VRF_SIGNATURE));
  }

  /** The place in a network that the certificate states. */
  public Member member() {
    Optional<Member> stated = Member.of(certificate);
    return stated.orElseThrow(
        () -> wrong("the certificate names no network and peer; issue it with 'node cert issue'"));
  }

  /** A signature with the key that the certificate is for. */
  byte[] sign(byte[] content) {
    return Keys.sign(key, content);
  }

  static X509Certificate decoded(byte[] encoded) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  public static X509Certificate certificate(Path file) {
    byte[] encoded = Pem.read(file, CERTIFICATE);
    try {
      return decoded(encoded);
    } catch (GeneralSecurityException e) {
      throw wrong(
          file + " is no certificate (" + e.getMessage() + "); issue one with 'node cert issue'");
    }
  }

  static PrivateKey privateKey(Path file) {
    try {
      return Keys.privateKey(Pem.read(file, KEY));
    } catch (GeneralSecurityException e) {
      throw wrong(
          file + " is no P-256 key (" + e.getMessage() + "); make one with 'kindred node init'");
    }
  }

  private static OperatorException wrong(String line) {
    return new OperatorException(OperatorException.WRONG_USE, line);
  }
}
