package io.kindred.cli.study;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.cli.progress.TerminalColumns;
import io.kindred.environment.radio.Channel;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import io.kindred.studies.radio.SelectionStudy;
import io.kindred.studies.radio.SelectionStudy.CurveSettings;
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
      "Shows how many neighbours a target selects, as mean over random placements.",
      "",
      "The number is shown by density, for several numbers of sub-channels and thresholds (figure 5 of pFedWN), and by",
      "number of neighbours, for several tolerances and thresholds (figure 6). Writes each as",
      "SVG and CSV.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  kindred radio selection --iterations 20 \\",
      "    --set network.links.channel.interference=log-normal \\",
      "    --set network.links.channel.moments=printed"
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
      description = "placements to average over (default: ${DEFAULT-VALUE})")
  private int iterations = 100;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  RadioSelectionCommand() {}

  @Override
  public Integer call() throws IOException {
    RadioOptions.requirePositive("--iterations", iterations);
    RadioOptions.RadioStudySettings radioStudySettings = options.read();
    ConsoleProgress progress = ConsoleProgress.ofProcess();
    long steps =
        (long) THRESHOLDS.size() * SUB_CHANNELS.size() * DENSITIES.size()
            + (long) (TOLERANCES.size() + THRESHOLDS.size()) * NEIGHBOURS.size();
    progress.begin("radio selection", steps, 0);
    SelectionStudy.PlacementSampling placementSampling =
        new SelectionStudy.PlacementSampling(
            radioStudySettings.links().sideMetres(),
            iterations,
            radioStudySettings.streams(),
            progress::stepCompleted);
    List<SelectionStudy> studies =
        new ArrayList<>(byDensity(radioStudySettings, placementSampling));
    studies.addAll(byNeighbours(radioStudySettings, placementSampling));
    progress.end("done");
    for (SelectionStudy each : studies) {
      if (!json) {
        System.out.println(each.table().text(TerminalColumns.ofTables()));
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
      RadioOptions.RadioStudySettings radioStudySettings,
      SelectionStudy.PlacementSampling placementSampling) {
    List<SelectionStudy> studies = new ArrayList<>();
    for (double threshold : THRESHOLDS) {
      Channel channel = radioStudySettings.links().channel().withSinrThreshold(threshold);
      List<CurveSettings> curveSettingses = new ArrayList<>();
      for (int subChannels : SUB_CHANNELS) {
        curveSettingses.add(
            new CurveSettings(
                subChannels + " sub-channels",
                channel.withSubChannels(subChannels),
                radioStudySettings.epsilon()));
      }
      studies.add(
          placementSampling.byDensity("threshold " + (long) threshold, curveSettingses, DENSITIES));
    }
    return studies;
  }

  private static List<SelectionStudy> byNeighbours(
      RadioOptions.RadioStudySettings radioStudySettings,
      SelectionStudy.PlacementSampling placementSampling) {
    Channel channel = radioStudySettings.links().channel();
    List<CurveSettings> tolerances = new ArrayList<>();
    for (double tolerance : TOLERANCES) {
      tolerances.add(new CurveSettings("error below " + tolerance, channel, tolerance));
    }
    List<CurveSettings> thresholds = new ArrayList<>();
    for (double threshold : THRESHOLDS) {
      thresholds.add(
          new CurveSettings(
              "threshold " + (long) threshold,
              channel.withSinrThreshold(threshold),
              radioStudySettings.epsilon()));
    }
    return List.of(
        placementSampling.byNeighbours("by tolerance", tolerances, NEIGHBOURS),
        placementSampling.byNeighbours("by threshold", thresholds, NEIGHBOURS));
  }
}
