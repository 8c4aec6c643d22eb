package io.kindred.node.identity;

import io.kindred.core.weights.Bytes;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequestBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Certificate requests in the form of PKCS #10. */
final class CertificateRequests {
  private CertificateRequests() {}

  /**
   * Requests a certificate that states an election key. Our authority chooses the name in the
   * certificate itself; other authorities may take it from the request.
   */
  static byte[] of(KeyPair pair, Bytes electionKey, Optional<Member> wanted) {
    String name = wanted.map(Member::hostName).orElse("kindred node");
    try {
      PKCS10CertificationRequestBuilder builder =
          new JcaPKCS10CertificationRequestBuilder(
              new X500Principal("CN=" + name), pair.getPublic());
      ExtensionsGenerator extensions = new ExtensionsGenerator();
      extensions.addExtension(ElectionKey.extension(electionKey));
      if (wanted.isPresent()) {
        extensions.addExtension(
            Extension.subjectAlternativeName, false, alternativeNames(wanted.get()));
      }
      builder.addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate());
      return builder
          .build(new JcaContentSignerBuilder(Keys.SIGNATURE).build(pair.getPrivate()))
          .getEncoded();
    } catch (OperatorCreationException e) {
      throw new IllegalStateException("signing a request with a P-256 key", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The alternative names by which a certificate states its member. */
  static GeneralNames alternativeNames(Member member) {
    return new GeneralNames(
        new GeneralName[] {
          new GeneralName(GeneralName.uniformResourceIdentifier, member.uri()),
          new GeneralName(GeneralName.dNSName, member.hostName())
        });
  }

  /**
   * What a request asks to certify.
   *
   * @param electionKey the key for election scores, if the request states one
   */
  record RequestedKeys(PublicKey holder, Optional<Bytes> electionKey) {}

  /** The keys of a request, after checking that its private key signed the request. */
  static RequestedKeys verifiedKeys(Path file) {
    try {
      JcaPKCS10CertificationRequest request =
          new JcaPKCS10CertificationRequest(Pem.read(file, Identity.REQUEST));
      PublicKey key = request.getPublicKey();
      if (request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        Extensions requested = request.getRequestedExtensions();
        Extension stated = requested == null ? null : requested.getExtension(ElectionKey.EXTENSION);
        return new RequestedKeys(key, Optional.ofNullable(stated).flatMap(ElectionKey::of));
      }
      throw wrong(file + " is not signed with the key that it contains; create the request again");
    } catch (IOException | GeneralSecurityException | OperatorCreationException | PKCSException e) {
      throw wrong(file + " is not a certificate request: " + e.getMessage());
    }
  }

  private static OperatorException wrong(String line) {
    return new OperatorException(OperatorException.WRONG_USE, line);
  }
}
