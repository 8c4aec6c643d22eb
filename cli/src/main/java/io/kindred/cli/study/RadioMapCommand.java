package io.kindred.cli.study;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.SettingException;
import io.kindred.environment.radio.RadioField;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import io.kindred.studies.radio.AreaStudy;
import io.kindred.studies.radio.FieldExport;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Draws the area around a target. */
@Command(
    name = "map",
    mixinStandardHelpOptions = true,
    description = {
      "Shows which senders a target selects: error probabilities, selected neighbours, costliest",
      "interferers.",
      "",
      "Draws the area as map.svg, darker where a sender would have a higher error, and writes map.csv.",
      "Writes positions.csv (metres) and links.csv (distance, line of sight, gain in dB, rate, error) of",
      "all peers for other simulators.",
      "'costs others' is how much lower the error of the other peers would be if that peer did not",
      "transmit.",
      ""
    },
    footer = {
      "",
      "Settings worth trying (with --set; all under network.links):",
      "  channel.sinrThreshold   ratio, such as 10 or 10dB, below which a transmission",
      "                          fails (10)",
      "  channel.subChannels     number of sub-channels; more mean less",
      "                          interference (14)",
      "  channel.interference    sampled, or log-normal as in the paper",
      "  channel.moments         of log-normal interference: exact, or unsquared or",
      "                          printed as in the paper's appendix",
      "  channel.error           given-transmission, or joint as the paper prints it",
      "  channel.silence         whether blocks without any interferer are counted",
      "                          separately (true)",
      "  epsilon                 a neighbour's error must be below this to be",
      "                          selected (0.05)",
      "",
      "Example: the paper's first case as printed",
      "  kindred radio map --set network.links.channel.sinrThreshold=5 \\",
      "    --set network.links.channel.interference=log-normal \\",
      "    --set network.links.channel.moments=printed \\",
      "    --set network.links.channel.error=joint \\",
      "    --set network.links.channel.silence=false"
    })
final class RadioMapCommand implements Callable<Integer> {
  @Mixin private RadioOptions options;

  @Option(
      names = "--target",
      paramLabel = "PEER",
      description = "the receiving peer (default: network.links.target, or 0)")
  private int target = -1;

  @Option(names = "--json", description = "print one JSON document and write nothing")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  RadioMapCommand() {}

  @Override
  public Integer call() throws IOException {
    RadioOptions.RadioStudySettings radioStudySettings = options.read();
    int listener = target >= 0 ? target : Math.max(0, radioStudySettings.links().target());
    if (listener >= radioStudySettings.peers()) {
      throw new SettingException(
          "--target",
          "there is no peer " + listener,
          "choose at most " + (radioStudySettings.peers() - 1));
    }
    RadioField radioField =
        radioStudySettings
            .links()
            .radioField(radioStudySettings.peers(), radioStudySettings.streams());
    AreaStudy area = AreaStudy.of(radioField, listener, radioStudySettings.epsilon());
    if (json) {
      System.out.print(Json.document(area));
      return ExitCode.DONE;
    }
    System.out.print(area.table().text(TerminalColumns.ofTables()));
    System.out.println(area.summary());
    String title =
        String.format(
            Locale.ROOT,
            "Peer %d selects %d of %d at threshold %s, error below %s",
            listener,
            area.selection().selected().size(),
            area.selection().candidates().size(),
            Double.toString(radioStudySettings.links().channel().sinrThreshold()),
            Double.toString(radioStudySettings.epsilon()));
    options.write("map.svg", area.svg(radioField, title, radioStudySettings.links().sideMetres()));
    options.write("map.csv", area.table().csv());
    options.write("positions.csv", FieldExport.positions(radioField).csv());
    options.write(
        "links.csv",
        FieldExport.links(
                radioField, radioStudySettings.links().channel(), radioStudySettings.epsilon())
            .csv());
    return ExitCode.DONE;
  }
}
