package io.kindred.node.command;

import io.kindred.runtime.command.CommandErrors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The command line of a deployed node, with nothing of the simulator, reports or studies on its
 * class path. Its commands are those of {@code kindred node} in the whole program.
 */
@Command(
    name = "kindred",
    mixinStandardHelpOptions = true,
    version = "kindred 0.1.0",
    header = "Personalized decentralized federated learning: a node.",
    subcommands = {NodeCommand.class, TaskCommand.class, PredictCommand.class})
public final class NodeMain implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  NodeMain() {}

  /** The command line of a node, ready to be executed. */
  public static CommandLine commandLine() {
    return CommandErrors.reportedBy(new CommandLine(new NodeMain()));
  }

  public static void main(String[] arguments) {
    System.exit(CommandErrors.execute(NodeMain::commandLine, arguments));
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
