package io.kindred.node.identity;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.node.log.NodeLog;
import io.kindred.protocol.vrf.VrfSecret;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.disk.Folders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * A node's identity: a key that its certificate certifies, and a second key for verifiable random
 * draws (VRF), whose public half the certificate states. The keys are separate so that the code
 * that draws never touches the identity key. The credentials may be replaced while the node runs;
 * the member stays the same.
 */
public final class Identity {
  static final String KEY = "PRIVATE KEY";
  static final String CERTIFICATE = "CERTIFICATE";
  static final String REQUEST = "CERTIFICATE REQUEST";

  /** Signed to find out whether a key and a certificate belong together. */
  private static final byte[] PROBE = "kindred key check 1".getBytes(StandardCharsets.US_ASCII);

  /** The files in an identity's folder. */
  public record IdentityFiles(Path folder) {
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

    public Path revocations() {
      return folder.resolve("revoked.crl");
    }

    public Path vrfKey() {
      return folder.resolve("vrf.key");
    }

    /** Who can read a file besides its owner; empty if nobody can, or if that is unknown. */
    public static Optional<String> readersBesidesOwner(Path file) {
      try {
        Set<PosixFilePermission> permissions = java.nio.file.Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
          return Optional.of("every user of this machine");
        }
        return permissions.contains(PosixFilePermission.GROUP_READ)
            ? Optional.of("its group")
            : Optional.empty();
      } catch (IOException | UnsupportedOperationException unknown) {
        return Optional.empty();
      }
    }

    /** Time, size and file key of each file that may be replaced while a node runs. */
    private List<String> fingerprints() {
      return Stream.of(key(), certificate(), authority(), revocations())
          .map(IdentityFiles::fingerprint)
          .toList();
    }

    private static String fingerprint(Path file) {
      try {
        BasicFileAttributes found =
            java.nio.file.Files.readAttributes(file, BasicFileAttributes.class);
        return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
      } catch (IOException missing) {
        return "none";
      }
    }
  }

  private final Optional<IdentityFiles> identityFiles;
  private volatile Credentials credentials;
  private volatile List<String> fileFingerprints;

  /** An identity without files, whose credentials never change. */
  public Identity(PrivateKey key, X509Certificate certificate, X509Certificate authority) {
    this(
        Optional.empty(),
        new Credentials(
            key, List.of(certificate), List.of(authority), Revocations.NONE, Optional.empty()),
        List.of());
  }

  private Identity(
      Optional<IdentityFiles> identityFiles, Credentials credentials, List<String> fingerprints) {
    this.identityFiles = identityFiles;
    this.credentials = credentials;
    this.fileFingerprints = fingerprints;
  }

  /** Creates both keys and a certificate request in a folder that has none. */
  public static void create(Path folder) {
    create(folder, Optional.empty());
  }

  /**
   * Creates an identity whose certificate request names a member, for authorities that take names
   * from requests.
   */
  public static void create(Path folder, Optional<Member> wanted) {
    Folders.requireWritable(folder);
    IdentityFiles identityFiles = new IdentityFiles(folder);
    KeyPair identity = Keys.generate();
    Pem.writeNew(identityFiles.key(), KEY, identity.getPrivate().getEncoded(), true);
    KeyPair election = Keys.generate();
    Pem.writeNew(identityFiles.vrfKey(), KEY, election.getPrivate().getEncoded(), true);
    Pem.writeNew(
        identityFiles.request(),
        REQUEST,
        CertificateRequests.of(identity, ElectionKey.publicKey(election), wanted),
        false);
  }

  /** Reads an identity that talks to every member that its authority certifies. */
  public static Identity read(Path folder) {
    return read(folder, Optional.empty());
  }

  /** Reads an identity that an authority has signed, and checks that its parts belong together. */
  public static Identity read(Path folder, Optional<SortedSet<PeerId>> allowed) {
    IdentityFiles identityFiles = new IdentityFiles(folder);
    List<String> fingerprints = identityFiles.fingerprints();
    return new Identity(
        Optional.of(identityFiles), credentials(identityFiles, allowed), fingerprints);
  }

  private static Credentials credentials(
      IdentityFiles identityFiles, Optional<SortedSet<PeerId>> allowed) {
    List<X509Certificate> chain = certificates(identityFiles.certificate());
    List<X509Certificate> authorities = certificates(identityFiles.authority());
    List<X509Certificate> issuers = new ArrayList<>(authorities);
    issuers.addAll(chain);
    Credentials credentials =
        new Credentials(
            privateKey(identityFiles.key()),
            chain,
            authorities,
            Revocations.read(identityFiles.revocations(), issuers),
            allowed);
    byte[] probe = PROBE.clone();
    if (!Keys.verifies(
        chain.getFirst().getPublicKey(), probe, Keys.sign(credentials.key(), probe))) {
      throw wrong(
          ("%s does not match the key %s; use the key and the certificate of the same"
                  + " identity")
              .formatted(identityFiles.certificate(), identityFiles.key()));
    }
    requireValid(identityFiles, credentials);
    return credentials;
  }

  /**
   * Other nodes would refuse an invalid certificate; the operator should learn that at the start.
   */
  private static void requireValid(IdentityFiles identityFiles, Credentials credentials) {
    Validity validity = Validity.of(credentials.certificate());
    Instant now = Instant.now();
    if (!chainsToAuthority(credentials.chain(), credentials.authorities())) {
      throw wrong(
          "%s is not signed by %s; issue another with 'kindred node cert issue' in a new folder"
              .formatted(identityFiles.certificate(), identityFiles.authority()));
    }
    if (validity.isExpired(now)) {
      throw wrong(
          "%s expired at %s; renew it with 'kindred node cert renew'"
              .formatted(identityFiles.certificate(), validity.until()));
    }
    if (validity.isNotYetValid(now)) {
      throw wrong(
          ("%s is not valid before %s, and this machine's clock shows %s; set the clock, or"
                  + " wait")
              .formatted(identityFiles.certificate(), validity.from(), now));
    }
    credentials
        .revocations()
        .revokedAt(credentials.certificate())
        .ifPresent(
            since -> {
              throw wrong(
                  "%s was revoked at %s; make a new identity with 'kindred node init'"
                      .formatted(identityFiles.certificate(), since));
            });
  }

  /** Whether each certificate is signed by the next, up to one that an authority has signed. */
  public static boolean chainsToAuthority(
      List<X509Certificate> chain, List<X509Certificate> authorities) {
    for (int i = 0; i < chain.size(); i++) {
      X509Certificate each = chain.get(i);
      if (authorities.stream().anyMatch(authority -> isSignedBy(each, authority))) {
        return true;
      }
      if (i + 1 == chain.size() || !isSignedBy(each, chain.get(i + 1))) {
        return false;
      }
    }
    return false;
  }

  /** Whether the owner of a certificate signed this content; false for a malformed signature. */
  public static boolean isSignedBy(X509Certificate owner, byte[] content, byte[] signature) {
    return Keys.verifies(owner.getPublicKey(), content, signature);
  }

  private static boolean isSignedBy(X509Certificate certificate, X509Certificate issuer) {
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException another) {
      return false;
    }
  }

  /**
   * Loads new credentials if the files have changed since they were last read. Credentials that are
   * invalid or name another member are refused, and the old ones stay in use. Returns whether new
   * credentials were loaded.
   */
  public synchronized boolean refresh(NodeLog log) {
    if (identityFiles.isEmpty() || identityFiles.get().fingerprints().equals(fileFingerprints)) {
      return false;
    }
    // Taken before the files are read, so that a file written meanwhile is read again next time.
    fileFingerprints = identityFiles.get().fingerprints();
    try {
      Credentials next = credentials(identityFiles.get(), credentials.allowed());
      Member stated = memberOf(next.certificate());
      if (!stated.equals(member())) {
        throw wrong(
            "%s is for %s, not for %s; replace it with the certificate of this peer"
                .formatted(identityFiles.get().certificate(), stated, member()));
      }
      // A list that other members brought may be newer than the file.
      next =
          next.with(
              next.revocations().mergedWith(credentials.revocations().lists(), next.issuers()));
      credentials = next;
      log.info(
          "credentials-renewed",
          "new credentials are in use: certificate {} valid until {}, {} revoked certificates",
          next.certificate().getSerialNumber().toString(16),
          Validity.of(next.certificate()).until(),
          next.revocations().count());
      return true;
    } catch (OperatorException broken) {
      log.warn("credentials-kept", "the old credentials stay in use: {}", broken.getMessage());
      return false;
    }
  }

  /**
   * Takes newer revocation lists that another member brought, and keeps them in the file. Returns
   * whether a list was newer.
   */
  public synchronized boolean adopt(List<X509CRL> received, NodeLog log) {
    Credentials known = credentials;
    Revocations merged = known.revocations().mergedWith(received, known.issuers());
    if (merged.equals(known.revocations())) {
      return false;
    }
    credentials = known.with(merged);
    log.info(
        "revocations-learned",
        "a member brought a newer revocation list: {} revoked certificates",
        merged.count());
    if (merged.revokedAt(known.certificate()).isPresent()) {
      log.error(
          "revoked",
          "the certificate of this node was revoked; make a new identity with 'kindred node init'");
    }
    identityFiles.ifPresent(
        each -> {
          try {
            AtomicFile.writeText(each.revocations(), merged.pem());
          } catch (IOException unwritten) {
            log.warn(
                "revocations-unwritten",
                "{} cannot be written ({}); the list is in force until this node stops",
                each.revocations(),
                unwritten.getMessage());
          }
        });
    return true;
  }

  /**
   * The secret that this node draws its election scores with. Other nodes check the scores against
   * the certificate, so the certificate must state this key.
   */
  public VrfSecret electionSecret() {
    if (identityFiles.isEmpty()) {
      throw wrong("an identity without files has no key for elections");
    }
    Path file = identityFiles.get().vrfKey();
    VrfSecret secret = ElectionKey.secret(file);
    if (!electionKey(certificate()).equals(Optional.of(secret.publicKey()))) {
      throw wrong(
          ("%s does not state the key of %s, so no other node would accept this node's election"
                  + " scores; make an identity with 'kindred node init', and sign its identity.csr"
                  + " with the requested extensions")
              .formatted(identityFiles.get().certificate(), file));
    }
    return secret;
  }

  /** The key that a certificate states for its member's election scores, if it states one. */
  public static Optional<Bytes> electionKey(X509Certificate certificate) {
    return ElectionKey.of(certificate);
  }

  /** The credentials in use. */
  public Credentials credentials() {
    return credentials;
  }

  public PrivateKey key() {
    return credentials.key();
  }

  /** The node's own certificate. */
  public X509Certificate certificate() {
    return credentials.certificate();
  }

  /** The first trusted authority. */
  public X509Certificate authority() {
    return credentials.authorities().getFirst();
  }

  /** The network and peer that the certificate names. */
  public Member member() {
    return memberOf(credentials.certificate());
  }

  private static Member memberOf(X509Certificate certificate) {
    return Member.of(certificate)
        .orElseThrow(
            () ->
                wrong(
                    "the certificate names no network and peer; issue it with 'kindred node cert"
                        + " issue'"));
  }

  /** Signs content with the identity key. */
  public byte[] sign(byte[] content) {
    return Keys.sign(key(), content);
  }

  public static X509Certificate decoded(byte[] encoded) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  /** The first certificate of a file, which is its owner's. */
  public static X509Certificate certificate(Path file) {
    return certificates(file).getFirst();
  }

  public static List<X509Certificate> certificates(Path file) {
    List<X509Certificate> found = new ArrayList<>();
    for (byte[] encoded : Pem.readAll(file, CERTIFICATE)) {
      try {
        found.add(decoded(encoded));
      } catch (GeneralSecurityException e) {
        throw wrong(
            file
                + " is not a certificate ("
                + e.getMessage()
                + "); issue one with 'kindred node cert issue'");
      }
    }
    return found;
  }

  static PrivateKey privateKey(Path file) {
    try {
      return Keys.privateKey(Pem.read(file, KEY));
    } catch (GeneralSecurityException e) {
      throw wrong(
          file
              + " is neither a P-256 nor an RSA key ("
              + e.getMessage()
              + "); create one with 'kindred node init'");
    }
  }

  private static OperatorException wrong(String line) {
    return new OperatorException(OperatorException.WRONG_USE, line);
  }
}
