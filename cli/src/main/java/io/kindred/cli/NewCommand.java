package io.kindred.cli;

import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes template files. */
@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description = {
      "Writes commented experiment files as templates.",
      "",
      "  experiment.yaml  runs as it is, on data that the program generates",
      "  own-data.yaml    the same for your own table or pictures",
      "",
      "Existing files are never overwritten.",
      ""
    },
    footer = {"", "Example:", "  kindred new mine", "  kindred run mine/experiment.yaml"})
final class NewCommand implements Callable<Integer> {
  private static final List<String> FILES = List.of("experiment.yaml", "own-data.yaml");

  @Parameters(
      paramLabel = "DIR",
      description = "folder for the files; created if it does not exist")
  private Path folder;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NewCommand() {}

  @Override
  public Integer call() throws IOException {
    for (String name : FILES) {
      if (Files.exists(folder.resolve(name))) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            folder.resolve(name) + " already exists; name another folder, or move the file away");
      }
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new OperatorException(
          OperatorException.WRONG_USE, folder + " is a file; name a folder");
    }
    Files.createDirectories(folder);
    for (String name : FILES) {
      Files.writeString(folder.resolve(name), DemoCommand.resource("new/" + name));
    }
    Path first = folder.resolve(FILES.getFirst());
    if (json) {
      List<String> written = FILES.stream().map(name -> folder.resolve(name).toString()).toList();
      System.out.print(Json.document(Map.of("written", written)));
      return ExitCode.DONE;
    }
    System.out.println("written: " + first + " and " + FILES.getLast() + " in the same folder");
    System.out.println("run it:  ./kindred run " + first);
    return ExitCode.DONE;
  }
}
