package io.kindred.node.command;

import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Validity;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.OperatorException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs a certificate. */
@Command(
    name = "issue",
    mixinStandardHelpOptions = true,
    description =
        "Signs the certificate request in the folder of an identity, for one peer of a"
            + " network.")
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

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "" + Authority.DEFAULT_VALIDITY_DAYS,
      description = "days for which the certificate is valid (default: ${DEFAULT-VALUE})")
  private int days;

  @Option(
      names = "--replace",
      description =
          "issue a second certificate for a peer that has a valid one, and revoke the first")
  private boolean replaces;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  CertIssueCommand() {}

  @Override
  public Integer call() {
    Member member = requireMember(network, peer);
    int revoked =
        Authority.read(authority)
            .issueIndexed(authority, folder, member, Validity.ofDays(days), replaces);
    System.out.println("signed: " + member);
    if (revoked > 0) {
      System.out.printf(
          "revoked: %d earlier certificates; copy %s to the identity folder of a running node%n",
          revoked, Authority.revocationsFile(authority));
    }
    return ExitCode.DONE;
  }

  static Member requireMember(String network, int peer) {
    if (!Member.isNetwork(network) || peer < 0) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          ("network '%s' or peer %d is invalid; use lower-case letters, digits and hyphens"
                  + " for the network, and a peer number of 0 or more")
              .formatted(network, peer));
    }
    return new Member(network, new PeerId(peer));
  }
}
