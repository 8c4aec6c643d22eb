package io.kindred.node.command;

import io.kindred.node.task.ModelStore;
import io.kindred.node.task.PredictorCard;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the models of a node and goes back to an earlier one. */
@Command(
    name = "models",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the models that a node keeps, the newest first, and deploys another one. A model that",
      "is chosen by its name stays deployed until 'newest' is chosen."
    })
final class NodeModelsCommand implements Callable<Integer> {
  private static final String NEWEST = "newest";

  @CommandLine.Mixin private NodeOptions options;

  @Option(
      names = "--use",
      paramLabel = "NAME",
      description = "deploy this model, such as v1-round-15, or 'newest'")
  private @Nullable String use;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeModelsCommand() {}

  @Override
  public Integer call() {
    ModelStore store = options.node().models();
    if (NEWEST.equals(use)) {
      PredictorCard newest = store.unpin();
      System.err.println(newest.name() + " is deployed; newer models may replace it");
    } else if (use != null) {
      store.pin(use);
      System.err.println(use + " is deployed and stays; go back with --use " + NEWEST);
    }
    List<ModelStore.KeptCard> all = store.all();
    System.out.print(json ? Json.document(all) : table(all));
    return ExitCode.DONE;
  }

  private static String table(List<ModelStore.KeptCard> all) {
    StringBuilder text = new StringBuilder();
    for (ModelStore.KeptCard each : all) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-10s %-16s %s  held-out accuracy %s%n",
              each.pinned() ? "chosen" : each.deployed() ? "deployed" : "",
              each.name(),
              each.card().made(),
              each.card()
                  .accuracy()
                  .map(accuracy -> String.format(Locale.ROOT, "%.3f", accuracy))
                  .orElse("not measured")));
    }
    return all.isEmpty() ? "no model yet%n".formatted() : text.toString();
  }
}
