package io.kindred.cli.study;

import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import io.kindred.studies.fuzz.DiscoveryFuzzCheck;
import io.kindred.studies.fuzz.ExperimentFuzzCheck;
import io.kindred.studies.fuzz.FuzzFailure;
import io.kindred.studies.fuzz.OverlayFuzzCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replays a run and prints its events. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Repeats a run event by event and prints the events.",
      "",
      "For a failure that 'kindred fuzz' wrote, shows the events up to the failure. For a run folder,",
      "shows the first events of the run.",
      ""
    },
    footer = {
      "",
      "  kindred replay runs/fuzz/dfedavgm-17.json",
      "  kindred replay runs/first-001 --from 500 --to 520"
    })
public final class ReplayCommand implements Callable<Integer> {
  /** The requested events, and the failure if the run failed. */
  private record Replayed(List<String> events, Optional<String> failure) {}

  private static final long EVENTS_SHOWN = 40;

  @Parameters(paramLabel = "FILE", description = "file of a failure, or a run folder")
  private Path file;

  @Option(names = "--from", paramLabel = "N", description = "first event to show")
  private @Nullable Long from;

  @Option(names = "--to", paramLabel = "N", description = "last event to show")
  private @Nullable Long to;

  @Option(names = "--step", description = "wait for the enter key after each event")
  private boolean step;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  private final List<String> shown = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  ReplayCommand() {}

  @Override
  public Integer call() {
    if (!Files.exists(file)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "there is no " + file + "; name a failure that 'kindred fuzz' wrote or a run folder");
    }
    return Files.isDirectory(file) ? run() : failure();
  }

  private int run() {
    RunFolder folder = new RunFolder(file);
    if (!folder.hasRun()) {
      throw new OperatorException(
          OperatorException.WRONG_USE, file + " holds no run; name a folder with a config.yaml");
    }
    String configuration = RunFolder.readText(folder.config());
    long first = from == null ? 1 : from;
    return replay(
        ExperimentFuzzCheck.parseExperiment(file.toString(), configuration),
        first,
        first + EVENTS_SHOWN - 1);
  }

  private int failure() {
    FuzzFailure failure = FuzzFailure.parse(file.toString(), RunFolder.readText(file));
    if (!json) {
      System.out.println(failure.configuration());
      System.out.println("recorded failure: " + failure.line());
    }
    long first = from == null ? Math.max(1, failure.event() - EVENTS_SHOWN + 1) : from;
    if (DiscoveryFuzzCheck.isDiscoveryConfiguration(failure.configuration())) {
      return replay(
          new DiscoveryFuzzCheck(
                  DiscoveryFuzzCheck.parseCase(file.toString(), failure.configuration()))
              ::run,
          first,
          failure.event());
    }
    return OverlayFuzzCheck.isOverlayConfiguration(failure.configuration())
        ? replay(
            new OverlayFuzzCheck(
                    OverlayFuzzCheck.parseCase(file.toString(), failure.configuration()))
                ::run,
            first,
            failure.event())
        : replay(
            ExperimentFuzzCheck.parseExperiment(file.toString(), failure.configuration()),
            first,
            failure.event());
  }

  private int replay(Experiment experiment, long first, long usualLast) {
    return replay(
        new ExperimentFuzzCheck(experiment, DataOptions.ofEnvironment())::run, first, usualLast);
  }

  private int replay(
      Function<BiConsumer<Long, String>, Optional<FuzzFailure>> run, long first, long usualLast) {
    long last = to == null ? usualLast : to;
    BiConsumer<Long, String> show =
        (event, line) -> {
          if (event >= first && event <= last) {
            show(line);
          }
        };
    Optional<FuzzFailure> found = run.apply(show);
    if (json) {
      System.out.print(Json.document(new Replayed(shown, found.map(FuzzFailure::line))));
      return ExitCode.DONE;
    }
    System.out.println(
        found.map(each -> "failed again: " + each.line()).orElse("the run did not fail"));
    return ExitCode.DONE;
  }

  private void show(String line) {
    if (json) {
      shown.add(line);
      return;
    }
    System.out.println(line);
    pause();
  }

  private void pause() {
    if (!step) {
      return;
    }
    try {
      for (int key = System.in.read(); key >= 0 && key != '\n'; ) {
        key = System.in.read();
      }
    } catch (IOException e) {
      step = false;
    }
  }
}
