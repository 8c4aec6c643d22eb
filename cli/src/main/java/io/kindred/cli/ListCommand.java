package io.kindred.cli;

import io.kindred.core.config.Catalogue;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.config.SchemaDoc;
import io.kindred.storage.json.Json;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the names that an experiment file can use, with their parameters. */
@Command(mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  private final Catalogue<?> catalogue;

  ListCommand(Catalogue<?> catalogue) {
    this.catalogue = catalogue;
  }

  @Override
  public Integer call() {
    var choices = new SchemaDoc(Experiment.CATALOGUES).choices(catalogue);
    if (json) {
      System.out.print(Json.document(choices));
      return ExitCode.DONE;
    }
    for (SchemaDoc.Choice choice : choices) {
      System.out.println(choice.name() + "  -  " + choice.summary());
      print(choice.settings());
    }
    String key = Experiment.keyOf(catalogue);
    String name = choices.getFirst().name();
    System.out.println();
    System.out.println(
        "In an experiment file:  %s: %s   or   %s: {name: %s, ...}"
            .formatted(key, name, key, name));
    return ExitCode.DONE;
  }

  static void print(List<SchemaDoc.Row> settings) {
    for (SchemaDoc.Row row : settings) {
      String fallback = row.required() ? "required" : "default " + row.fallback();
      String bounds = row.bounds().isEmpty() ? "" : ", " + row.bounds();
      System.out.println(
          "    %-18s %s (%s%s; %s)".formatted(row.path(), row.doc(), row.type(), bounds, fallback));
    }
  }
}
