package io.kindred.lab.command;

import io.kindred.files.json.Json;
import io.kindred.lab.radio.SelectionStudy;
import io.kindred.lab.radio.SelectionStudy.Setting;
import io.kindred.world.radio.Channel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counts selected neighbours over many placements. */
@Command(
    name = "selection",
    mixinStandardHelpOptions = true,
    description = {
      "Counts how many neighbours a target selects, on the mean over drawn placements.",
      "",
      "By density, for several numbers of sub-channels and thresholds (figure 5 of pFedWN), and by",
      "number of neighbours, for several tolerances and thresholds (figure 6). Writes each as",
      "SVG and CSV.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  kindred radio selection --iterations 20 --set network.links.channel.moments=printed"
    })
final class RadioSelectionCommand implements Callable<Integer> {
  private static final List<Double> DENSITIES = List.of(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5);
  private static final List<Double> NEIGHBOURS =
      List.of(2.0, 4.0, 6.0, 8.0, 10.0, 14.0, 18.0, 22.0, 26.0, 30.0);
  private static final List<Double> THRESHOLDS = List.of(5.0, 10.0, 15.0);
  private static final List<Integer> SUB_CHANNELS = List.of(8, 14, 20);
  private static final List<Double> TOLERANCES = List.of(0.01, 0.05, 0.1, 0.2);

  @Mixin private RadioOptions options;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "placements that a mean is over (default: ${DEFAULT-VALUE})")
  private int iterations = 100;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  RadioSelectionCommand() {}

  @Override
  public Integer call() throws IOException {
    RadioOptions.requirePositive("--iterations", iterations);
    RadioOptions.Study study = options.read();
    Console console = Console.ofProcess();
    long steps =
        (long) THRESHOLDS.size() * SUB_CHANNELS.size() * DENSITIES.size()
            + (long) (TOLERANCES.size() + THRESHOLDS.size()) * NEIGHBOURS.size();
    console.begin("radio selection", steps, 0);
    SelectionStudy.Draws draws =
        new SelectionStudy.Draws(
            study.links().sideMetres(), iterations, study.streams(), console::deployed);
    List<SelectionStudy> studies = new ArrayList<>(byDensity(study, draws));
    studies.addAll(byNeighbours(study, draws));
    console.end("done");
    for (SelectionStudy each : studies) {
      if (!json) {
        System.out.println(each.table().text());
      }
      String name = "selected-" + each.title().replace(' ', '-');
      options.write(name + ".svg", each.svg());
      options.write(name + ".csv", each.table().csv());
    }
    if (json) {
      System.out.print(Json.document(studies));
    }
    return ExitCode.DONE;
  }

  private static List<SelectionStudy> byDensity(
      RadioOptions.Study study, SelectionStudy.Draws draws) {
    List<SelectionStudy> studies = new ArrayList<>();
    for (double threshold : THRESHOLDS) {
      Channel channel = study.links().channel().withSinrThreshold(threshold);
      List<Setting> settings = new ArrayList<>();
      for (int subChannels : SUB_CHANNELS) {
        settings.add(
            new Setting(
                subChannels + " sub-channels",
                channel.withSubChannels(subChannels),
                study.epsilon()));
      }
      studies.add(draws.byDensity("threshold " + (long) threshold, settings, DENSITIES));
    }
    return studies;
  }

  private static List<SelectionStudy> byNeighbours(
      RadioOptions.Study study, SelectionStudy.Draws draws) {
    Channel channel = study.links().channel();
    List<Setting> tolerances = new ArrayList<>();
    for (double tolerance : TOLERANCES) {
      tolerances.add(new Setting("error below " + tolerance, channel, tolerance));
    }
    List<Setting> thresholds = new ArrayList<>();
    for (double threshold : THRESHOLDS) {
      thresholds.add(
          new Setting(
              "threshold " + (long) threshold,
              channel.withSinrThreshold(threshold),
              study.epsilon()));
    }
    return List.of(
        draws.byNeighbours("by tolerance", tolerances, NEIGHBOURS),
        draws.byNeighbours("by threshold", thresholds, NEIGHBOURS));
  }
}
