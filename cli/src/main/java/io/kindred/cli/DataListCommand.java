package io.kindred.cli;

import io.kindred.core.config.Catalogue;
import io.kindred.learning.DataSources;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.fetch.Publication;
import io.kindred.storage.fetch.Publications;
import io.kindred.storage.json.Json;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists data sets, their sources, and whether they are on disk. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists data sets, their sources, and whether the folder of each exists.")
final class DataListCommand implements Callable<Integer> {
  /** One data set; a set without a home page is generated, or is the user's own. */
  record Row(
      String name,
      String summary,
      boolean there,
      Optional<String> home,
      Optional<String> terms,
      boolean fetchable) {}

  @Mixin private DataOptions data;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  DataListCommand() {}

  @Override
  public Integer call() {
    List<Row> rows = new ArrayList<>();
    for (Class<?> source : DataSources.ALL.choices()) {
      String name = Catalogue.nameOf(source);
      Optional<Publication> published = Publications.find(name);
      rows.add(
          new Row(
              name,
              Catalogue.summaryOf(source),
              data.folder().filter(root -> Files.isDirectory(root.resolve(name))).isPresent(),
              published.map(each -> each.homepage().toString()),
              published.map(Publication::licence),
              published.filter(each -> !each.files().isEmpty()).isPresent()));
    }
    if (json) {
      System.out.print(Json.document(rows));
      return ExitCode.DONE;
    }
    for (Row row : rows) {
      System.out.println(
          String.format(
              Locale.ROOT, "%-16s %-6s %s", row.name(), row.there() ? "there" : "", row.summary()));
      row.home()
          .ifPresent(
              home ->
                  System.out.println(" ".repeat(24) + home + " (" + row.terms().orElse("") + ")"));
    }
    System.out.println();
    System.out.println(
        data.folder()
            .map(root -> "'there' marks a data set that has a folder in " + root + ".")
            .orElse("No data folder is named: use --data-dir or KINDRED_DATA."));
    return ExitCode.DONE;
  }
}
