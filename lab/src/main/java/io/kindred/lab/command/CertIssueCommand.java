package io.kindred.lab.command;

import io.kindred.core.PeerId;
import io.kindred.files.OperatorException;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Member;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs a certificate. */
@Command(
    name = "issue",
    mixinStandardHelpOptions = true,
    description = "Signs the request in an identity's folder for a place in a network.")
final class CertIssueCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "folder of the identity")
  private Path folder;

  @Option(
      names = "--authority",
      paramLabel = "DIR",
      required = true,
      description = "folder of the authority")
  private Path authority;

  @Option(
      names = "--network",
      paramLabel = "ID",
      required = true,
      description = "the network's id: lower-case letters, digits and hyphens")
  private String network;

  @Option(names = "--peer", paramLabel = "N", required = true, description = "peer number")
  private int peer;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  CertIssueCommand() {}

  @Override
  public Integer call() {
    if (!Member.isNetwork(network) || peer < 0) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "'%s', peer %d is no place in a network; use lower-case letters and digits, and 0 or more"
              .formatted(network, peer));
    }
    Member member = new Member(network, new PeerId(peer));
    Authority.read(authority).issue(folder, member);
    System.out.println("signed: " + member);
    return ExitCode.DONE;
  }
}
