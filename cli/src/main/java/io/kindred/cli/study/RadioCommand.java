package io.kindred.cli.study;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Commands for the radio channel and neighbour selection without training. */
@Command(
    name = "radio",
    mixinStandardHelpOptions = true,
    description = {
      "Studies device-to-device radio without training (pFedWN, section III.B).",
      "",
      "Peers are placed in a square and share some sub-channels. Each peer uses its best sub-channel,",
      "and transmits if that sub-channel is good enough. A target selects the senders whose error",
      "probability is low enough, given that all other peers may use the same sub-channel at the same",
      "time.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred radio map --set network.links.channel.sinrThreshold=5",
      "  kindred radio selection --iterations 20",
      "  kindred radio check",
      "",
      "Settings are those of network.links in an experiment file: see 'kindred radio map --help'."
    },
    subcommands = {RadioMapCommand.class, RadioSelectionCommand.class, RadioCheckCommand.class})
public final class RadioCommand implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  RadioCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
