package io.kindred.lab.command;

import io.kindred.files.json.Json;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a certificate. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows a certificate: whose it is, who signed it and how long it holds.")
final class CertShowCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "a certificate, or an identity's folder")
  private Path file;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  CertShowCommand() {}

  private record Shown(
      String subject, String member, String issuer, String validUntil, String serial) {}

  @Override
  public Integer call() {
    X509Certificate certificate =
        Identity.certificate(
            Files.isDirectory(file) ? new Identity.Files(file).certificate() : file);
    Shown shown =
        new Shown(
            certificate.getSubjectX500Principal().getName(),
            Member.of(certificate).map(Member::toString).orElse("no member"),
            certificate.getIssuerX500Principal().getName(),
            certificate.getNotAfter().toInstant().toString(),
            certificate.getSerialNumber().toString(16));
    System.out.print(
        json
            ? Json.document(shown)
            : "subject  %s (%s)\nissuer   %s\nvalid    until %s\nserial   %s\n"
                .formatted(
                    shown.subject(),
                    shown.member(),
                    shown.issuer(),
                    shown.validUntil(),
                    shown.serial()));
    return ExitCode.DONE;
  }
}
