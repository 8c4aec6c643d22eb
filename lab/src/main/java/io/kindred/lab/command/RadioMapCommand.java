package io.kindred.lab.command;

import io.kindred.core.settings.Complaint;
import io.kindred.files.json.Json;
import io.kindred.lab.radio.AreaStudy;
import io.kindred.world.radio.Field;
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
      "Shows whom a target hears: error probabilities, selected neighbours, costliest interferers.",
      "",
      "Draws the area as map.svg, darker where a sender would be heard less, and writes map.csv.",
      "'costs others' is by how much the other peers' error would fall if that peer kept quiet.",
      ""
    },
    footer = {
      "",
      "Settings worth trying (with --set; all under network.links):",
      "  channel.sinrThreshold   ratio, not decibels, below which a transmission fails (10)",
      "  channel.subChannels     more of them, fewer meetings (14)",
      "  channel.moments         exact, or unsquared or printed as in the paper's appendix",
      "  channel.error           given-transmission, or joint as the paper prints it",
      "  channel.silence         whether blocks without any interferer are counted apart (true)",
      "  epsilon                 a neighbour's error must be below this to be selected (0.05)",
      "",
      "Example: the paper's first case as printed",
      "  kindred radio map --set network.links.channel.sinrThreshold=5 \\",
      "    --set network.links.channel.moments=printed --set network.links.channel.error=joint \\",
      "    --set network.links.channel.silence=false"
    })
final class RadioMapCommand implements Callable<Integer> {
  @Mixin private RadioOptions options;

  @Option(
      names = "--target",
      paramLabel = "PEER",
      description = "who listens (default: network.links.target, or 0)")
  private int target = -1;

  @Option(names = "--json", description = "print one JSON document and write nothing")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  RadioMapCommand() {}

  @Override
  public Integer call() throws IOException {
    RadioOptions.Study study = options.read();
    int listener = target >= 0 ? target : Math.max(0, study.links().target());
    if (listener >= study.peers()) {
      throw new Complaint(
          "--target", "there is no peer " + listener, "choose at most " + (study.peers() - 1));
    }
    Field field = study.links().field(study.peers(), study.streams());
    AreaStudy area = AreaStudy.of(field, listener, study.epsilon());
    if (json) {
      System.out.print(Json.document(area));
      return ExitCode.DONE;
    }
    System.out.print(area.table().text());
    System.out.println(area.summary());
    String title =
        String.format(
            Locale.ROOT,
            "Peer %d hears %d of %d at threshold %s, error below %s",
            listener,
            area.selection().selected().size(),
            area.selection().candidates().size(),
            Double.toString(study.links().channel().sinrThreshold()),
            Double.toString(study.epsilon()));
    options.write("map.svg", area.svg(field, title, study.links().sideMetres()));
    options.write("map.csv", area.table().csv());
    return ExitCode.DONE;
  }
}
