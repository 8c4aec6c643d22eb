package io.kindred.node.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Everything about the task of a network. */
@Command(
    name = "task",
    mixinStandardHelpOptions = true,
    description = {
      "Writes and checks the task of a network: what all nodes agree on, while",
      "every node keeps its own data."
    },
    subcommands = {TaskNewCommand.class, TaskCheckCommand.class})
public final class TaskCommand implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  TaskCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
