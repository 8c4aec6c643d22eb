package io.kindred.node.command;

import io.kindred.learning.data.own.OwnFinding;
import io.kindred.node.task.TaskCheck;
import io.kindred.node.task.TaskFile;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares own data with a task. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Says what a node's data lack for a task, or have beyond it, and what to do.",
      "Nothing is written. Exit code 2 when a node cannot use the data."
    })
final class TaskCheckCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "the task file")
  private Path file;

  @Option(
      names = "--data",
      paramLabel = "PATH",
      required = true,
      description = "a table, a folder of pictures, sounds or texts, or a safetensors file")
  private Path data;

  @CommandLine.Mixin private OwnDataOptions options;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  TaskCheckCommand() {}

  @Override
  public Integer call() {
    TaskCheck check = TaskCheck.of(TaskFile.read(file), options.source(data), options.files(data));
    if (json) {
      System.out.print(Json.document(check));
    } else {
      System.out.printf(
          "task '%s', version %d: %d samples that fit%n",
          check.task(), check.version(), check.samples());
      check.classes().forEach((name, count) -> System.out.printf("  %-20s %d%n", name, count));
      for (OwnFinding each : check.findings()) {
        System.out.printf("%-5s %s%n", each.level().name().toLowerCase(Locale.ROOT), each.line());
      }
      System.out.println(
          check.usable()
              ? "a node can use these data"
              : "a node cannot use these data as they are");
    }
    return check.usable() ? ExitCode.DONE : ExitCode.WRONG_USE;
  }
}
