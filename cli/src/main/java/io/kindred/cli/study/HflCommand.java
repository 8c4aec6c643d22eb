package io.kindred.cli.study;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Commands for cluster formation without training, and for rounds to a target. */
@Command(
    name = "hfl",
    mixinStandardHelpOptions = true,
    description = {
      "Studies hierarchical federated learning without training.",
      "",
      "A coordinator forms clusters of clients that have fast links to each other, and whose common",
      "update direction is close to the direction of all clients together.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred hfl form --clients 20",
      "  kindred hfl form --set method.clusters.way=spectral",
      "  kindred hfl rounds runs/tables-11-12 --target-round 16"
    },
    subcommands = {HflFormCommand.class, HflRoundsCommand.class})
public final class HflCommand implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  HflCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
