package io.kindred.node.command;

import io.kindred.node.identity.Authority;
import io.kindred.runtime.command.ExitCode;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Creates an authority. */
@Command(
    name = "ca",
    mixinStandardHelpOptions = true,
    description = "Creates an authority that signs certificates; do not copy its folder to nodes.")
final class CertAuthorityCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "folder for the authority")
  private Path folder;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  CertAuthorityCommand() {}

  @Override
  public Integer call() {
    X509Certificate certificate = Authority.create(folder).certificate();
    System.out.println(certificate.getSubjectX500Principal().getName() + " is in " + folder);
    return ExitCode.DONE;
  }
}
