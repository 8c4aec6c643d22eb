package io.kindred.node.command;

import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Revocations;
import io.kindred.node.identity.Validity;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a certificate. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = {
      "Shows a certificate: its member, its issuer, its validity, and whether it was" + " revoked.",
      "The revocation list and the certificate of the authority are read from the same" + " folder."
    })
final class CertShowCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "a certificate file, or the folder of an identity")
  private Path file;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  CertShowCommand() {}

  private record CertificateInfo(
      String subject,
      String member,
      String issuer,
      String validFrom,
      String validUntil,
      String state,
      long daysLeft,
      Optional<String> revoked,
      String serial) {
    String text() {
      return """
          subject  %s (%s)
          issuer   %s
          valid    from %s until %s: %s, %d days left
          revoked  %s
          serial   %s
          """
          .formatted(
              subject,
              member,
              issuer,
              validFrom,
              validUntil,
              state,
              daysLeft,
              revoked
                  .map(since -> "since " + since)
                  .orElse("not in the revocation list of this folder"),
              serial);
    }
  }

  /** The certificate of an identity, or of a file. */
  static X509Certificate certificate(Path file) {
    return Identity.certificate(
        Files.isDirectory(file) ? new Identity.IdentityFiles(file).certificate() : file);
  }

  @Override
  public Integer call() {
    X509Certificate certificate = certificate(file);
    Validity validity = Validity.of(certificate);
    Instant now = Instant.now();
    Optional<Instant> revoked = revocations().revokedAt(certificate);
    CertificateInfo certificateInfo =
        new CertificateInfo(
            certificate.getSubjectX500Principal().getName(),
            Member.of(certificate).map(Member::toString).orElse("not a member"),
            certificate.getIssuerX500Principal().getName(),
            validity.from().toString(),
            validity.until().toString(),
            state(validity, now, revoked),
            validity.daysLeft(now),
            revoked.map(Instant::toString),
            certificate.getSerialNumber().toString(16));
    System.out.print(json ? Json.document(certificateInfo) : certificateInfo.text());
    return ExitCode.DONE;
  }

  private static String state(Validity validity, Instant now, Optional<Instant> revoked) {
    if (revoked.isPresent()) {
      return "revoked";
    }
    if (validity.isExpired(now)) {
      return "expired";
    }
    return validity.isNotYetValid(now) ? "not yet valid" : "valid";
  }

  private Revocations revocations() {
    @Nullable Path folder = Files.isDirectory(file) ? file : file.toAbsolutePath().getParent();
    if (folder == null) {
      return Revocations.NONE;
    }
    Identity.IdentityFiles identityFiles = new Identity.IdentityFiles(folder);
    return Files.exists(identityFiles.authority())
        ? Revocations.read(
            identityFiles.revocations(), List.of(Identity.certificate(identityFiles.authority())))
        : Revocations.NONE;
  }
}
