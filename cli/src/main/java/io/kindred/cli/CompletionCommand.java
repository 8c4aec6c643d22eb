package io.kindred.cli;

import io.kindred.runtime.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints a completion script for the shell. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a script that makes bash or zsh complete commands and options with the tab key.",
      ""
    },
    footer = {
      "",
      "  ./kindred completion > .kindred/completion.sh && source .kindred/completion.sh"
    })
final class CompletionCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    System.out.print(AutoComplete.bash("kindred", Kindred.commandLine()));
    return ExitCode.DONE;
  }
}
