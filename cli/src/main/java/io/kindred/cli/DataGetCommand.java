package io.kindred.cli;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.learning.DataSources;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.NearestName;
import io.kindred.storage.fetch.Download;
import io.kindred.storage.fetch.Publication;
import io.kindred.storage.fetch.Publications;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Downloads a data set. */
@Command(
    name = "get",
    mixinStandardHelpOptions = true,
    description = {
      "Downloads a data set into its folder.",
      "",
      "An interrupted download is resumed. The digest of each file is compared with the published",
      "digest. Where no digest is published, the digest of the first download is recorded, and",
      "later downloads are compared with it.",
      ""
    })
final class DataGetCommand implements Callable<Integer> {
  /** A file, and whether it had to be downloaded. */
  private record File(String path, boolean fetched, String verdict) {
    private String line() {
      return path + (fetched ? " fetched; " : " already exists; ") + verdict;
    }
  }

  @Parameters(paramLabel = "NAME", description = "data set, such as fashion-mnist")
  private String name;

  @Option(
      names = "--from",
      paramLabel = "URL",
      description = "folder of a mirror that holds the files under their original names")
  private @Nullable URI mirror;

  @Mixin private DataOptions data;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  DataGetCommand() {}

  @Override
  public Integer call() throws IOException {
    Publication publication = Publications.find(name).orElseThrow(() -> unknown(name));
    Path root =
        data.folder()
            .orElseThrow(
                () ->
                    new OperatorException(
                        OperatorException.WRONG_USE,
                        "no data folder is named; name the folder for data sets with --data-dir or"
                            + " KINDRED_DATA"));
    Path folder = root.resolve(name);
    if (publication.files().isEmpty()) {
      throw new OperatorException(
          OperatorException.DATA_MISSING,
          name
              + " cannot be downloaded: "
              + publication.manualInstructions()
              + " ("
              + folder
              + ")");
    }
    ConsoleProgress progress = ConsoleProgress.ofProcess();
    List<File> files = new ArrayList<>();
    for (Publication.RemoteFile remoteFile : publication.files()) {
      Download.Fetched fetched = fetch(folder, remoteFile, progress);
      files.add(new File(fetched.path().toString(), fetched.fetched(), fetched.verification()));
      if (!json) {
        System.out.println(files.getLast().line());
      }
    }
    if (json) {
      System.out.print(Json.document(files));
    }
    return ExitCode.DONE;
  }

  private Download.Fetched fetch(
      Path folder, Publication.RemoteFile remoteFile, ConsoleProgress progress) throws IOException {
    try {
      Download.Fetched fetched =
          Download.to(
              folder, mirror == null ? remoteFile : remoteFile.mirroredAt(mirror), progress);
      if (fetched.fetched()) {
        progress.end("done");
      }
      return fetched;
    } catch (OperatorException mistake) {
      progress.end("failed");
      throw mistake;
    }
  }

  private static OperatorException unknown(String name) {
    List<String> known = Publications.ALL.stream().map(Publication::dataset).toList();
    boolean drawn = DataSources.ALL.find(name).isPresent();
    return new OperatorException(
        OperatorException.WRONG_USE,
        drawn
            ? "'"
                + name
                + "' cannot be downloaded: the program generates it, or it is your own data"
            : "there is no data set '"
                + name
                + "'"
                + NearestName.among(known, name)
                    .map(near -> "; did you mean '" + near + "'?")
                    .orElse("; known: " + String.join(", ", known)));
  }
}
