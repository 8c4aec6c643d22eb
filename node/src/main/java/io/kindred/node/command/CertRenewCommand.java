package io.kindred.node.command;

import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Validity;
import io.kindred.runtime.command.ExitCode;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renews a certificate. */
@Command(
    name = "renew",
    mixinStandardHelpOptions = true,
    description = {
      "Replaces the certificate of an identity with a new one for the same key,"
          + " network and peer.",
      "A running node loads it within seconds, without a restart."
    })
final class CertRenewCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "folder of the identity")
  private Path folder;

  @Option(
      names = "--authority",
      paramLabel = "DIR",
      required = true,
      description = "folder of the authority that signed the old certificate")
  private Path authority;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "" + Authority.DEFAULT_VALIDITY_DAYS,
      description = "days for which the certificate is valid (default: ${DEFAULT-VALUE})")
  private int days;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  CertRenewCommand() {}

  @Override
  public Integer call() {
    X509Certificate renewed =
        Authority.read(authority).renewIndexed(authority, folder, Validity.ofDays(days));
    System.out.println("renewed until " + renewed.getNotAfter().toInstant());
    return ExitCode.DONE;
  }
}
