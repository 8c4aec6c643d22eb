package io.kindred.cli;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.Catalogue;
import io.kindred.methods.catalogue.Methods;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.report.table.TextWidth;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.NearestName;
import io.kindred.storage.config.SchemaDoc;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains in a few lines how a method works. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Explains a method in a few lines, with its parameters.",
      "",
      "'kindred methods' lists all methods.",
      ""
    })
final class ExplainCommand implements Callable<Integer> {
  /** The explanation of a method. */
  private record Explained(
      String name, String summary, String text, List<SchemaDoc.Row> settings) {}

  /** Longer lines are tiring to read, however wide the terminal is. */
  private static final int PROSE_COLUMNS = 96;

  @Parameters(paramLabel = "METHOD", description = "name of a method, such as dfca")
  private String method;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  ExplainCommand() {}

  @Override
  public Integer call() throws IOException {
    SchemaDoc.Choice choice =
        new SchemaDoc(Experiment.CATALOGUES)
            .choices(Methods.ALL).stream()
                .filter(each -> each.name().equals(method))
                .findFirst()
                .orElseThrow(this::unknown);
    String text = DemoCommand.resource("explain/" + choice.name() + ".txt");
    if (json) {
      System.out.print(
          Json.document(
              new Explained(choice.name(), choice.summary(), text.strip(), choice.settings())));
      return ExitCode.DONE;
    }
    ListCommand.printWrapped(choice.name() + "  -  " + choice.summary(), 2);
    System.out.println();
    int columns = Math.min(PROSE_COLUMNS, TerminalColumns.ofTables());
    TextWidth.wrap(text.strip().replace("\n", " "), columns).forEach(System.out::println);
    System.out.println();
    System.out.println(choice.settings().isEmpty() ? "It has no parameters." : "Parameters:");
    ListCommand.print(choice.settings());
    printDiscoveries(choice.settings());
    System.out.println();
    System.out.println("Try it:  ./kindred run experiments/first.yaml --set method=" + method);
    return ExitCode.DONE;
  }

  /** The choices of a setting that is itself chosen by name. */
  private static void printDiscoveries(List<SchemaDoc.Row> settings) {
    String noun = PeerDiscoveries.ALL.noun();
    if (settings.stream().anyMatch(row -> row.type().equals(noun))) {
      System.out.println();
      System.out.println(
          "Choices of '" + noun + "' ('kindred discoveries' lists their parameters):");
      for (Class<?> each : PeerDiscoveries.ALL.choices()) {
        ListCommand.printWrapped(
            "    %-18s %s".formatted(Catalogue.nameOf(each), Catalogue.summaryOf(each)),
            ListCommand.INDENT);
      }
    }
  }

  private OperatorException unknown() {
    List<String> known = Methods.ALL.names();
    return new OperatorException(
        OperatorException.WRONG_USE,
        "there is no method '"
            + method
            + "'"
            + NearestName.among(known, method)
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("; known: " + String.join(", ", known)));
  }
}
