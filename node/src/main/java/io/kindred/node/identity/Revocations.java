package io.kindred.node.identity;

import io.kindred.storage.OperatorException;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.Extension;

/** The certificates that authorities have revoked, according to their revocation lists. */
public record Revocations(List<X509CRL> lists) {
  public static final Revocations NONE = new Revocations(List.of());

  static final String PEM_LABEL = "X509 CRL";

  public Revocations {
    lists = List.copyOf(lists);
  }

  /**
   * Reads the revocation lists of a file, which may hold one for each issuer; without a file
   * nothing is revoked. A list that none of these issuers has signed is refused, because its
   * entries could have been removed.
   */
  public static Revocations read(Path file, List<X509Certificate> issuers) {
    if (!Files.exists(file)) {
      return NONE;
    }
    List<X509CRL> lists = new ArrayList<>();
    for (byte[] encoded : Pem.readAll(file, PEM_LABEL)) {
      X509CRL list = decoded(file, encoded);
      if (issuers.stream().noneMatch(issuer -> isSignedBy(list, issuer))) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            ("%s is not signed by this network's authority; copy the revoked.crl of that"
                    + " authority")
                .formatted(file));
      }
      lists.add(list);
    }
    return new Revocations(lists);
  }

  /**
   * These lists, with those of others that are newer than the list of the same issuer here or of an
   * issuer without one. A list of no trusted issuer is left out.
   */
  Revocations mergedWith(List<X509CRL> others, List<X509Certificate> issuers) {
    List<X509CRL> merged = new ArrayList<>(lists);
    for (X509CRL each : others) {
      Optional<X509CRL> known =
          merged.stream()
              .filter(other -> other.getIssuerX500Principal().equals(each.getIssuerX500Principal()))
              .findFirst();
      boolean newer = known.isEmpty() || isNewer(each, known.get());
      if (newer && issuers.stream().anyMatch(issuer -> isSignedBy(each, issuer))) {
        known.ifPresent(merged::remove);
        merged.add(each);
      }
    }
    return new Revocations(merged);
  }

  /** By the list's number, and by its time if an authority numbers none. */
  private static boolean isNewer(X509CRL list, X509CRL known) {
    int byNumber = number(list).compareTo(number(known));
    return byNumber != 0
        ? byNumber > 0
        : list.getThisUpdate().toInstant().isAfter(known.getThisUpdate().toInstant());
  }

  private static BigInteger number(X509CRL list) {
    byte[] value = list.getExtensionValue(Extension.cRLNumber.getId());
    try {
      return value == null
          ? BigInteger.ZERO
          : CRLNumber.getInstance(ASN1OctetString.getInstance(value).getOctets()).getCRLNumber();
    } catch (IllegalArgumentException malformed) {
      return BigInteger.ZERO;
    }
  }

  /** All lists in PEM form. */
  String pem() {
    StringBuilder text = new StringBuilder();
    for (X509CRL each : lists) {
      try {
        text.append(Pem.text(PEM_LABEL, each.getEncoded()));
      } catch (CRLException e) {
        throw new IllegalStateException("a list that was read", e);
      }
    }
    return text.toString();
  }

  private static X509CRL decoded(Path file, byte[] encoded) {
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(encoded));
    } catch (GeneralSecurityException e) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "%s is not a revocation list (%s); copy the authority's revoked.crl"
              .formatted(file, e.getMessage()));
    }
  }

  private static boolean isSignedBy(X509CRL list, X509Certificate issuer) {
    try {
      list.verify(issuer.getPublicKey());
      return list.getIssuerX500Principal().equals(issuer.getSubjectX500Principal());
    } catch (GeneralSecurityException another) {
      return false;
    }
  }

  /** When a certificate was revoked; empty if it was not. */
  public Optional<Instant> revokedAt(X509Certificate certificate) {
    for (X509CRL list : lists) {
      X509CRLEntry entry = list.getRevokedCertificate(certificate);
      if (entry != null
          && list.getIssuerX500Principal().equals(certificate.getIssuerX500Principal())) {
        return Optional.of(entry.getRevocationDate().toInstant());
      }
    }
    return Optional.empty();
  }

  public int count() {
    return lists.stream()
        .map(X509CRL::getRevokedCertificates)
        .mapToInt(entries -> entries == null ? 0 : entries.size())
        .sum();
  }
}
