package io.kindred.cli;

import io.kindred.cli.study.BiasCommand;
import io.kindred.cli.study.DiscoveryCommand;
import io.kindred.cli.study.FuzzCommand;
import io.kindred.cli.study.HflCommand;
import io.kindred.cli.study.OverlayCommand;
import io.kindred.cli.study.RadioCommand;
import io.kindred.cli.study.ReplayCommand;
import io.kindred.core.config.Catalogue;
import io.kindred.environment.topology.Topologies;
import io.kindred.learning.DataSources;
import io.kindred.learning.partition.Partitions;
import io.kindred.methods.catalogue.Methods;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.node.command.NodeCommand;
import io.kindred.node.command.PredictCommand;
import io.kindred.node.command.TaskCommand;
import io.kindred.runtime.command.CommandErrors;
import io.kindred.runtime.config.Plugins;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The command line. */
@Command(
    name = "kindred",
    mixinStandardHelpOptions = true,
    version = "kindred 0.1.0",
    header = "Personalized decentralized federated learning.",
    description = {
      "",
      "Every peer keeps its data and trains a model of its own. It finds the few peers whose models",
      "help it and mixes their models into its own; there is no server.",
      "",
      "Start here:",
      "  kindred demo                        three methods compared, in under a minute",
      "  kindred run experiments/first.yaml  one experiment from a file",
      "  kindred methods                     all methods, with parameters",
      "  kindred explain dfca                one method in a few lines",
      "  kindred new mine                    commented template files",
      ""
    },
    footer = {
      "",
      "Exit codes: 0 done, 1 the run failed, 2 wrong use or configuration, 3 data missing,",
      "4 part of a grid failed, 130 stopped by the user."
    },
    subcommands = {
      DemoCommand.class,
      RunCommand.class,
      SweepCommand.class,
      CompareCommand.class,
      TuneCommand.class,
      ExplainCommand.class,
      NewCommand.class,
      ReportCommand.class,
      QueryCommand.class,
      ExportCommand.class,
      DataCommand.class,
      RadioCommand.class,
      HflCommand.class,
      FuzzCommand.class,
      TaskCommand.class,
      NodeCommand.class,
      PredictCommand.class,
      FleetCommand.class,
      ReplayCommand.class,
      OverlayCommand.class,
      DiscoveryCommand.class,
      BiasCommand.class,
      CompletionCommand.class
    })
public final class Kindred implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  Kindred() {}

  /** The whole command line, ready to be executed. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Kindred());
    list(line, "methods", Methods.ALL);
    list(line, "discoveries", PeerDiscoveries.ALL);
    list(line, "datasets", DataSources.ALL);
    list(line, "models", Plugins.models());
    list(line, "partitions", Partitions.ALL).addSubcommand("show", new ShowPartitionCommand());
    list(line, "topologies", Topologies.ALL);
    return CommandErrors.reportedBy(line);
  }

  private static CommandLine list(CommandLine line, String name, Catalogue<?> catalogue) {
    CommandLine list = new CommandLine(new ListCommand(catalogue));
    list.getCommandSpec()
        .usageMessage()
        .description("Lists the " + name + " that an experiment file can name, with parameters.");
    line.addSubcommand(name, list);
    return list;
  }

  public static void main(String[] arguments) {
    System.exit(CommandErrors.execute(Kindred::commandLine, arguments));
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
