package io.kindred.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about data sets that need no run. */
@Command(
    name = "data",
    mixinStandardHelpOptions = true,
    description = {"Downloads data sets, checks your own data, and shows contents.", ""},
    footer = {
      "",
      "Examples:",
      "  kindred data list",
      "  kindred data get fashion-mnist --data-dir ~/data",
      "  kindred data check my-birds",
      "  kindred data show fashion-mnist --sheet fashion.png"
    },
    subcommands = {
      DataListCommand.class,
      DataGetCommand.class,
      DataCheckCommand.class,
      DataShowCommand.class,
      DataConvertCommand.class
    })
final class DataCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  DataCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
