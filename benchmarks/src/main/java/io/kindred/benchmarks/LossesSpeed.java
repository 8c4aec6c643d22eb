package io.kindred.benchmarks;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Catalogue;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.training.EngineTrainer;
import io.kindred.learning.training.PeerDatasets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The losses of many models over one view: one ticket for all models against one ticket per model.
 * The two variants alternate and the fastest repetition counts, so that other work on the machine
 * favours neither.
 *
 * <p>Usage: {@code ./benchmarks/run LossesSpeed [SECONDS] [SAMPLES]}
 */
public final class LossesSpeed {
  private static final List<String> WORKLOADS = List.of("W3b", "W2", "W1");
  private static final List<Integer> MODELS = List.of(1, 4, 20);
  private static final int TURNS = 9;

  private final double seconds;
  private final int samples;

  private LossesSpeed(double seconds, int samples) {
    this.seconds = seconds;
    this.samples = samples;
  }

  public static void main(String[] arguments) {
    double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 4;
    int samples = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
    new LossesSpeed(seconds, samples).compare();
  }

  private void compare() {
    System.out.println(
        "microseconds per model and sample, " + samples + " samples: one by one, one ticket");
    for (Workload workload : Workload.ALL) {
      if (!WORKLOADS.contains(workload.name())) {
        continue;
      }
      for (Class<? extends EngineChoice> type : Workload.engines()) {
        EngineTrainer trainer = trainer(Workload.engine(type), workload);
        for (int models : MODELS) {
          double[] times = times(trainer, tickets(workload, models));
          System.out.printf(
              Locale.ROOT,
              "%-4s %-6s %3d models %9.2f %9.2f  %.2fx%n",
              workload.name(),
              Catalogue.nameOf(type),
              models,
              times[0],
              times[1],
              times[0] / times[1]);
        }
      }
    }
  }

  private EngineTrainer trainer(EngineChoice engine, Workload workload) {
    Samples table = workload.samples(samples);
    Ints all = Ints.wrap(IntStream.range(0, samples).toArray());
    Dataset dataset =
        new Dataset(
            workload.name(),
            List.of(workload.architecture().inputs()),
            workload.architecture().outputs(),
            table,
            table);
    PeerDatasets datasets =
        new PeerDatasets(dataset, List.of(new PeerSplit(all, Ints.of(), Ints.of())));
    return new EngineTrainer(
        engine.create(workload.architecture()), datasets, new RandomStreams(1));
  }

  /** One ticket per model, and one ticket for all models. */
  private static List<List<Ticket>> tickets(Workload workload, int models) {
    List<Mixture> mixtures =
        IntStream.range(0, models)
            .mapToObj(
                i ->
                    Mixture.of(
                        workload
                            .architecture()
                            .initialWeights(
                                new RandomStreams(1).stream(Purpose.INITIAL_WEIGHTS, 0, i))))
            .toList();
    return List.of(
        mixtures.stream().map(each -> ticket(List.of(each))).toList(), List.of(ticket(mixtures)));
  }

  private static Ticket ticket(List<Mixture> mixtures) {
    return new Ticket.Losses(
        mixtures, DataView.own(DataView.Split.TRAIN), Ticket.Detail.PER_SAMPLE);
  }

  /** Microseconds per model and sample of each variant. The first repetition warms up. */
  private double[] times(EngineTrainer trainer, List<List<Ticket>> variants) {
    double[] fastest = new double[variants.size()];
    for (int repetition = 0; repetition <= TURNS; repetition++) {
      for (int variant = 0; variant < variants.size(); variant++) {
        double time =
            window(trainer, variants.get(variant))
                / (samples * (double) variants.getFirst().size());
        fastest[variant] = repetition <= 1 ? time : Math.min(fastest[variant], time);
      }
    }
    return fastest;
  }

  private double window(EngineTrainer trainer, List<Ticket> tickets) {
    long start = System.nanoTime();
    int repeats = 0;
    do {
      for (Ticket ticket : tickets) {
        trainer.perform(new PeerId(0), ticket);
      }
      repeats++;
    } while (System.nanoTime() - start < seconds / TURNS * 1e9);
    return (System.nanoTime() - start) / 1e3 / repeats;
  }
}
