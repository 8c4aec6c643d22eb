package example;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.experiment.Run;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.mixing.MixingMethod;
import io.kindred.methods.mixing.MixingState;
import io.kindred.methods.mixing.NeighbourModel;
import io.kindred.methods.rounds.RoundUpdates;
import io.kindred.report.Comparison;
import io.kindred.report.run.RunReader;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.config.ConfigFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A peer keeps a share of its own model and takes the rest from its neighbours' mean. */
@Named(value = "keep-half", summary = "keeps a share of the own model, whatever the neighbours say")
public record KeepHalf(@Setting(doc = "share that stays", fallback = "0.5") double keep)
    implements MixingMethod {
  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return context.training().round(from, context.self(), round);
  }

  @Override
  public Mixture mixture(MixingState own, RoundUpdates updates, List<NeighbourModel> models) {
    List<MixturePart> parts = new ArrayList<>(List.of(new MixturePart(own.weights(), keep)));
    models.forEach(each -> parts.add(new MixturePart(each.weights(), (1 - keep) / models.size())));
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
