package io.kindred.node.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** One peer in one process, talking to others over mutual TLS. */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    description = {
      "Runs one peer of an experiment as its own process, connected over mutual TLS.",
      "",
      "Every node has a key, a certificate that names its network and peer number, and" + " a",
      "configuration that names the experiment and the addresses of its neighbours.",
      ""
    },
    footer = {
      "",
      "All steps to a running node; do not copy the authority's folder 'ca' to nodes:",
      "  kindred node cert ca ca",
      "  kindred node init node-0/identity",
      "  kindred node cert issue node-0/identity --authority ca --network glyphs \\",
      "    --peer 0",
      "  kindred node preflight --config node-0/node.yaml",
      "  kindred node start --config node-0/node.yaml",
      "",
      "node-0/node.yaml, whose paths are relative to its own folder:",
      "  experiment: ../experiment.yaml",
      "  peer: 0",
      "  listen: 127.0.0.1:7400",
      "  neighbours: {1: 127.0.0.1:7401, 2: 127.0.0.1:7402}",
      "",
      "All settings, endpoints and kinds of refusal: docs/reference/node.md"
    },
    subcommands = {
      NodeInitCommand.class,
      NodeCertCommand.class,
      NodePreflightCommand.class,
      NodeStartCommand.class,
      NodeStatusCommand.class,
      NodeModelsCommand.class,
      NodeAuditCommand.class,
      NodeReplayCommand.class
    })
public final class NodeCommand implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  NodeCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
