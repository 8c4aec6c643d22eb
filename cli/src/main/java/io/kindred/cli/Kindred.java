package io.kindred.cli;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.SettingException;
import io.kindred.environment.topology.Topologies;
import io.kindred.learning.DataSources;
import io.kindred.learning.data.DataException;
import io.kindred.learning.partition.Partitions;
import io.kindred.methods.catalogue.Methods;
import io.kindred.node.command.NodeCommand;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Plugins;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.NearestName;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line. */
@Command(
    name = "kindred",
    mixinStandardHelpOptions = true,
    version = "kindred 0.1.0",
    header = "Personalized decentralized federated learning.",
    description = {
      "",
      "Peers keep their data and their own model, find the few others that help, and mix; no"
          + " server.",
      "",
      "Start here:",
      "  kindred demo                        three methods side by side, in under a minute",
      "  kindred run experiments/first.yaml  one experiment from a file",
      "  kindred methods                     what can be run, with parameters",
      "  kindred explain dfca                one method in a few lines",
      "  kindred new mine                    commented files to start from",
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
      ExplainCommand.class,
      NewCommand.class,
      ReportCommand.class,
      QueryCommand.class,
      ExportCommand.class,
      DataCommand.class,
      RadioCommand.class,
      HflCommand.class,
      FuzzCommand.class,
      NodeCommand.class,
      FleetCommand.class,
      ReplayCommand.class,
      OverlayCommand.class,
      BiasCommand.class,
      CompletionCommand.class
    })
public final class Kindred implements Runnable {
  private static final int USAGE_WIDTH = 110;

  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  Kindred() {}

  /** The whole command line, ready to be executed. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Kindred());
    list(line, "methods", Methods.ALL);
    list(line, "datasets", DataSources.ALL);
    list(line, "models", Plugins.models());
    list(line, "partitions", Partitions.ALL).addSubcommand("show", new ShowPartitionCommand());
    list(line, "topologies", Topologies.ALL);
    line.setParameterExceptionHandler(Kindred::wrongUse);
    line.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpWidth(USAGE_WIDTH);
    return line;
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
    System.exit(execute(arguments));
  }

  /** Plugins are looked for before there is a command that could report a mistake of theirs. */
  private static int execute(String[] arguments) {
    try {
      return commandLine().execute(arguments);
    } catch (OperatorException mistake) {
      System.err.println("kindred: " + mistake.line());
      return mistake.exitCode();
    }
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  private static int wrongUse(ParameterException mistake, String[] arguments) {
    CommandSpec command = mistake.getCommandLine().getCommandSpec();
    String problem =
        mistake instanceof UnmatchedArgumentException unmatched
            ? unmatched(command, unmatched.getUnmatched())
            : String.valueOf(mistake.getMessage()).replace("\n", " ");
    String help = " (see '" + command.qualifiedName() + " --help')";
    mistake.getCommandLine().getErr().println("kindred: " + problem + help);
    return ExitCode.WRONG_USE;
  }

  /** The first option that is unknown is the mistake; words after it may be its value. */
  private static String unmatched(CommandSpec command, List<String> words) {
    Optional<String> option = words.stream().filter(word -> word.startsWith("-")).findFirst();
    if (option.isEmpty() && command.subcommands().isEmpty()) {
      return "'" + words.getFirst() + "' is one argument too many";
    }
    String written = option.orElse(words.getFirst()).replaceFirst("=.*", "");
    String kind = option.isPresent() ? "option" : "verb";
    List<String> known =
        List.copyOf(
            option.isPresent() ? command.optionsMap().keySet() : command.subcommands().keySet());
    return "there is no %s '%s'".formatted(kind, written)
        + NearestName.among(known, written)
            .map(near -> "; did you mean '" + near + "'?")
            .orElse("");
  }

  private static int failed(Exception failure, CommandLine command) {
    PrintWriter err = command.getErr();
    return switch (failure) {
      case OperatorException mistake -> {
        err.println("kindred: " + mistake.line());
        yield mistake.exitCode();
      }
      case SettingException invalid -> {
        err.println("kindred: " + invalid.line());
        yield ExitCode.WRONG_USE;
      }
      case DataException data -> {
        err.println("kindred: " + data.getMessage());
        yield OperatorException.DATA_MISSING;
      }
      default -> {
        err.println("kindred: " + OperatorException.reason(failure) + whereToLook(failure));
        if (System.getenv("KINDRED_DEBUG") != null) {
          failure.printStackTrace(err);
        }
        yield ExitCode.FAILED;
      }
    };
  }

  private static String whereToLook(Exception failure) {
    return failure.getMessage() == null ? " (set KINDRED_DEBUG=1 for where it happened)" : "";
  }
}
