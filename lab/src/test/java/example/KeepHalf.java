package example;

import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Ticket;
import io.kindred.files.config.ConfigFile;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.report.Comparison;
import io.kindred.lab.report.RunReader;
import io.kindred.lab.run.Progress;
import io.kindred.lab.run.Run;
import io.kindred.lab.run.RunFolder;
import io.kindred.lab.run.StopSignal;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.PeerContext;
import io.kindred.methods.mixing.Heard;
import io.kindred.methods.mixing.MixingRules;
import io.kindred.methods.mixing.OneModel;
import io.kindred.methods.rounds.Exchange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A peer keeps a share of its own model and takes the rest from its neighbours' mean. */
@Named(value = "keep-half", summary = "keeps a share of the own model, whatever the neighbours say")
public record KeepHalf(@Setting(doc = "share that stays", fallback = "0.5") double keep)
    implements MixingRules {
  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return context.training().round(from, context.self(), round);
  }

  @Override
  public Mixture mixture(OneModel own, Exchange exchange, List<Heard> models) {
    List<Part> parts = new ArrayList<>(List.of(new Part(own.weights(), keep)));
    models.forEach(each -> parts.add(new Part(each.weights(), (1 - keep) / models.size())));
    return new Mixture(parts);
  }

  public static void main(String[] arguments) throws Exception {
    var file = ConfigFile.parse("mine", "{method: local, model: softmax, peers: 8, rounds: 5}");
    Experiment common = ExperimentFile.of(file, Optional.empty(), List.of()).experiment();
    Experiment mine = common.with(new KeepHalf(0.5));
    Path folder = Path.of(arguments[0]);
    new Run(mine, new RunFolder(folder), Progress.SILENT, new StopSignal(), x -> {}, DataFiles.NONE)
        .execute(false);
    System.out.print(Comparison.of(List.of(new RunReader().read(folder))).table().text());
  }
}
