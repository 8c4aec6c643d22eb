package io.kindred.node.command;

import io.kindred.node.task.Prediction;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Applies the model of a node. */
@Command(
    name = "predict",
    mixinStandardHelpOptions = true,
    description = {
      "Predicts the classes of new samples with the model of a node. The samples need no",
      "label. A model card and its weights in one folder are all that is needed."
    })
public final class PredictCommand implements Callable<Integer> {
  @Option(
      names = "--model",
      paramLabel = "CARD",
      required = true,
      description = "the model card, such as north/deployed/model.json")
  private Path card;

  @Option(
      names = "--data",
      paramLabel = "PATH",
      required = true,
      description = "a table, a folder of pictures, sounds or texts, or a safetensors file")
  private Path data;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "the file to write (default: standard output)")
  private @Nullable Path out;

  @CommandLine.Mixin private OwnDataOptions options;

  @Option(names = "--json", description = "write one JSON document in place of a table")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  PredictCommand() {}

  @Override
  public Integer call() {
    List<Prediction> predictions = Prediction.of(card, options.source(data), options.files(data));
    String text = json ? Json.document(predictions) : table(predictions);
    if (out == null) {
      System.out.print(text);
    } else {
      RunFolder.writeText(out, text);
    }
    Prediction.accuracy(predictions, card, options.source(data), options.files(data))
        .ifPresent(
            right ->
                System.err.printf(
                    Locale.ROOT,
                    "%.1f %% of %d samples are predicted as they are labelled%n",
                    100 * right,
                    predictions.size()));
    return ExitCode.DONE;
  }

  private static String table(List<Prediction> predictions) {
    String classes =
        predictions.getFirst().probabilities().keySet().stream()
            .map(PredictCommand::quoted)
            .collect(Collectors.joining(","));
    return predictions.stream()
        .map(PredictCommand::row)
        .collect(Collectors.joining("", "sample,predicted,probability," + classes + "\n", ""));
  }

  private static String row(Prediction each) {
    String numbers =
        each.probabilities().values().stream()
            .map(value -> String.format(Locale.ROOT, "%.4f", value))
            .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        "%s,%s,%.4f,%s\n",
        quoted(each.sample()),
        quoted(each.predicted()),
        each.probability(),
        numbers);
  }

  /** As in RFC 4180. */
  private static String quoted(String word) {
    return word.chars().anyMatch(each -> each == ',' || each == '"' || each == '\n')
        ? '"' + word.replace("\"", "\"\"") + '"'
        : word;
  }
}
