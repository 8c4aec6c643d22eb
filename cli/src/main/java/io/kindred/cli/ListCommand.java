package io.kindred.cli;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.Catalogue;
import io.kindred.methods.catalogue.Methods;
import io.kindred.report.table.TextWidth;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.config.SchemaDoc;
import io.kindred.storage.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the names that an experiment file can use, with their parameters. */
@Command(mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
  /** Continues a setting's description below the beginning of that description. */
  static final int INDENT = 23;

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
      printWrapped(choice.name() + "  -  " + choice.summary(), 2);
      print(choice.settings());
    }
    String key = Experiment.keyOf(catalogue);
    String name = choices.getFirst().name();
    System.out.println();
    printWrapped("In an experiment file:  " + use(key, name), 2);
    return ExitCode.DONE;
  }

  private String use(String key, String name) {
    int dot = key.indexOf('.');
    return dot < 0
        ? "%s: %s   or   %s: {name: %s, ...}".formatted(key, name, key, name)
        : "%s: {name: %s, %s: %s}   or   --set %s=%s"
            .formatted(
                key.substring(0, dot),
                methodWithSetting(),
                key.substring(dot + 1),
                name,
                key,
                name);
  }

  private String methodWithSetting() {
    return Methods.ALL.choices().stream()
        .filter(
            method ->
                Arrays.stream(method.getRecordComponents())
                    .anyMatch(setting -> setting.getType() == catalogue.kind()))
        .map(Catalogue::nameOf)
        .findFirst()
        .orElseThrow();
  }

  static void print(List<SchemaDoc.Row> settings) {
    for (SchemaDoc.Row row : settings) {
      String fallback = row.required() ? "required" : "default " + row.fallback();
      String tune = row.tune().isEmpty() ? "" : "; tuned over " + row.tune();
      String bounds = row.bounds().isEmpty() ? "" : ", " + row.bounds();
      printWrapped(
          "    %-18s %s (%s%s; %s%s)"
              .formatted(row.path(), row.doc(), row.type(), bounds, fallback, tune),
          INDENT);
    }
  }

  /** Prints a text on as many lines of the terminal as it needs, all but the first indented. */
  static void printWrapped(String text, int indent) {
    int columns = TerminalColumns.ofTables();
    List<String> lines = new ArrayList<>(TextWidth.wrap(text, columns));
    System.out.println(lines.removeFirst());
    String rest = String.join(" ", lines);
    if (!rest.isEmpty()) {
      for (String line : TextWidth.wrap(rest, columns - indent)) {
        System.out.println(" ".repeat(indent) + line);
      }
    }
  }
}
