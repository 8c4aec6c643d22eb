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

/** Takes a certificate back. */
@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    description = {
      "Puts a certificate on the authority's signed list of revoked ones, revoked.crl.",
      "Nodes refuse it once the list is in their identity's folder; they need no restart."
    })
final class CertRevokeCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "a certificate, or an identity's folder")
  private Path file;

  @Option(
      names = "--authority",
      paramLabel = "DIR",
      required = true,
      description = "folder of the authority that signed it")
  private Path authority;

  @Option(
      names = "--copy-to",
      paramLabel = "DIR",
      arity = "1..*",
      description = "identity folders to copy the list to")
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
        "%s %s; copy %s to the identity folder of every node%n",
        certificate.getSerialNumber().toString(16),
        news ? "is revoked" : "was revoked before",
        list);
    return ExitCode.DONE;
  }
}
