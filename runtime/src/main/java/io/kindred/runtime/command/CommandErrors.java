package io.kindred.runtime.command;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.DataException;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.NearestName;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports an error of a command as one line with its remedy, and as an exit code. */
public final class CommandErrors {
  private CommandErrors() {}

  /** Lets a command line report its errors this way. */
  public static CommandLine reportedBy(CommandLine line) {
    line.setParameterExceptionHandler(CommandErrors::wrongUse);
    line.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    UsageText.fit(line);
    return line;
  }

  /**
   * Loads the Vector API and runs a command. Plugins are loaded while the command line is built,
   * when no command could report an error of theirs.
   */
  public static int execute(Supplier<CommandLine> commandLine, String[] arguments) {
    try {
      VectorModule.load();
      return commandLine.get().execute(arguments);
    } catch (OperatorException mistake) {
      System.err.println("kindred: " + mistake.line());
      return mistake.exitCode();
    }
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

  /** The first unknown option is the mistake; the words after it may be its value. */
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
    return failure.getMessage() == null ? " (set KINDRED_DEBUG=1 for the stack trace)" : "";
  }
}
