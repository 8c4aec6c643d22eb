package io.kindred.node.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Looks after the audit log of a node. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Checks the audit log of a node.",
    subcommands = NodeAuditVerifyCommand.class)
final class NodeAuditCommand implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  NodeAuditCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
