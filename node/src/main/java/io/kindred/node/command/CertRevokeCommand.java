package io.kindred.node.command;

import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.disk.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Revokes a certificate. */
@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    description = {
      "Adds a certificate to the authority's signed revocation list, revoked.crl.",
      "Nodes refuse the certificate once the list is in the identity folder of one running node:"
          + " it passes the list on to all others. No restart is needed."
    })
final class CertRevokeCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "a certificate file, or the folder of an identity")
  private Path file;

  @Option(
      names = "--authority",
      paramLabel = "DIR",
      required = true,
      description = "folder of the authority that signed the certificate")
  private Path authority;

  @Option(
      names = "--copy-to",
      paramLabel = "DIR",
      arity = "1..*",
      description = "folders of identities to copy the list to")
  private List<Path> nodes = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  CertRevokeCommand() {}

  @Override
  public Integer call() throws IOException {
    X509Certificate certificate = CertShowCommand.certificate(file);
    boolean news = Authority.read(authority).revoke(authority, certificate);
    Path list = Authority.revocationsFile(authority);
    for (Path node : nodes) {
      AtomicFile.write(new Identity.IdentityFiles(node).revocations(), Files.readAllBytes(list));
    }
    System.out.printf(
        "%s %s; copy %s to the identity folder of a running node%n",
        certificate.getSerialNumber().toString(16),
        news ? "is revoked" : "was already revoked",
        list);
    return ExitCode.DONE;
  }
}
