package io.kindred.node.command;

import io.kindred.core.config.Setting;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.data.own.TaskSuggestion;
import io.kindred.node.task.NetworkTask;
import io.kindred.node.task.TaskFile;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.Binder;
import io.kindred.storage.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a task file. */
@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a task file from a sample of data: inputs with their scaling, and the",
      "classes of the sample. Edit the file, then give every node the same one."
    })
final class TaskNewCommand implements Callable<Integer> {
  @Option(
      names = "--from",
      paramLabel = "PATH",
      required = true,
      description = "a table, a folder of pictures, sounds or texts, or a safetensors file")
  private Path from;

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "the file to write")
  private Path out;

  @Option(names = "--name", paramLabel = "NAME", description = "name of the task")
  private @Nullable String name;

  @Option(
      names = "--classes",
      paramLabel = "NAMES",
      split = ",",
      description = "all classes of the network, if the sample lacks some")
  private @Nullable List<String> classes;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      defaultValue = "kin",
      description = "the method, or its settings as YAML (default: kin)")
  private String method;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @CommandLine.Mixin private OwnDataOptions options;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  TaskNewCommand() {}

  private record Head(
      @Setting(doc = "name of the task") String name,
      @Setting(doc = "version of the task") int version,
      @Setting(doc = "classes by name") List<String> classes,
      @Setting(doc = "inputs of a sample") TaskInputs inputs) {}

  private record Written(String file, String task, String kind, List<String> classes) {}

  @Override
  public Integer call() {
    if (Files.exists(out)) {
      throw new OperatorException(
          OperatorException.WRONG_USE, out + " exists already; choose another name with --out");
    }
    OwnSource source = options.source(from);
    TaskSuggestion suggestion = source.suggest(options.files(from));
    List<String> named = classes == null ? suggestion.classes() : List.copyOf(classes);
    List<String> missing =
        suggestion.classes().stream().filter(each -> !named.contains(each)).toList();
    if (!missing.isEmpty()) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "the sample has the classes %s, which --classes does not name".formatted(missing));
    }
    String text =
        "# The task of a network: every node has this file, and data of its own.\n"
            + new Binder(List.of())
                .toYaml(
                    new Head(name == null ? defaultName() : name, 1, named, suggestion.inputs()))
            + rest();
    NetworkTask task = TaskFile.parse(out.toString(), text);
    RunFolder.writeText(out, text);
    if (json) {
      System.out.print(
          Json.document(
              new Written(out.toString(), task.name(), task.inputs().kind(), task.classes())));
    } else {
      System.out.printf(
          "%s: task '%s' of %s, %d classes: %s%n",
          out,
          task.name(),
          task.inputs().kind(),
          task.classes().size(),
          String.join(", ", task.classes()));
    }
    return ExitCode.DONE;
  }

  private String rest() {
    return """

        # How peers learn. 'kindred methods' and 'kindred models' list the choices.
        method: %s
        model: {name: mlp, hidden: [32]}
        training: {epochs: 2, batch: 16, learningRate: 0.05, momentum: 0.9}
        rounds: 20
        # A round takes at least this long, so that a node that joins finds the others learning.
        roundSeconds: 1
        seed: 1

        # Samples that each node keeps for the test of its own models.
        heldOut: {test: 0.2}
        """
        .formatted(method.startsWith("{") ? method : "{name: " + method + "}");
  }

  /** The name of the file up to its first dot. */
  private String defaultName() {
    return String.valueOf(out.getFileName()).split("\\.", 2)[0];
  }
}
