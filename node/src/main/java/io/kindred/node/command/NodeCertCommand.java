package io.kindred.node.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Everything about certificates. */
@Command(
    name = "cert",
    mixinStandardHelpOptions = true,
    description = "Creates an authority; issues, renews, revokes and shows certificates.",
    subcommands = {
      CertAuthorityCommand.class,
      CertIssueCommand.class,
      CertRenewCommand.class,
      CertRevokeCommand.class,
      CertShowCommand.class
    })
final class NodeCertCommand implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  NodeCertCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
