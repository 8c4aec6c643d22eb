package io.kindred.lab.run;

import io.kindred.core.Observation;
import io.kindred.core.Observation.Deployed;
import io.kindred.core.Observation.Stage;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.lab.experiment.EvaluationSettings;
import io.kindred.learning.training.Score;
import io.kindred.simulator.Watcher;
import io.kindred.simulator.Workers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Listens to a run and writes what it hears, in the order of events: a line waits for its
 * evaluation, and later lines wait for it. How many may wait is bounded, because each holds a
 * model.
 */
final class Recorder implements Watcher {
  /** The share of the K most alike peers that a search found. */
  static final String RECALL = "recallAtK";

  /** The same by whole vectors. */
  static final String FULL_RECALL = "recallAtKFull";

  private static final int MOST_WAITING = 512;

  private record Waiting(
      Observed observed,
      Deployed deployed,
      Future<Score> own,
      @Nullable Future<Score> global,
      SortedMap<String, Double> extra) {}

  private final EvaluationSettings settings;
  private final int rounds;
  private final Workers workers;
  private final Evaluator evaluator;
  private final MetricsFile metrics;
  private final RoundTable table;
  private final ModelFiles models;
  private final Progress progress;
  private final Unwritten unwritten;
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  Recorder(
      EvaluationSettings settings,
      int rounds,
      Workers workers,
      Evaluator evaluator,
      MetricsFile metrics,
      RoundTable table,
      ModelFiles models,
      Progress progress,
      Unwritten unwritten) {
    this.settings = settings;
    this.rounds = rounds;
    this.workers = workers;
    this.evaluator = evaluator;
    this.metrics = metrics;
    this.table = table;
    this.models = models;
    this.progress = progress;
    this.unwritten = unwritten;
  }

  @Override
  public void observed(Observed observed) {
    switch (observed.observation()) {
      case Observation.Deployed deployed -> deployed(observed, deployed);
      case Observation.Measured figure -> measured(observed.peer(), figure.name(), figure.value());
      case Observation.Held held -> unwritten.consensus().add(observed.peer(), held.models());
      case Observation.Sorted each ->
          unwritten.sorted().put(observed.peer().number(), each.clusters());
      case Observation.Found _, Observation.RoundOver _, Observation.Counted _ -> {}
    }
  }

  /** Adds a figure to the line of the model that the peer deploys next. */
  public void measured(PeerId peer, String name, double value) {
    unwritten.measured().computeIfAbsent(peer.number(), unseen -> new TreeMap<>()).put(name, value);
  }

  /** What peers have told and no file shows yet. */
  Unwritten unwritten() {
    return unwritten;
  }

  private void deployed(Observed observed, Deployed deployed) {
    if (deployed.stage() == Stage.MIXED) {
      progress.deployed();
    }
    if (deployed.round() >= rounds && deployed.stage() != Stage.TRAINED) {
      models.keep(observed.peer(), deployed);
    }
    @Nullable SortedMap<String, Double> figures =
        unwritten.measured().remove(observed.peer().number());
    if (settings.covers(deployed.round(), rounds) && settings.includes(observed.peer().number())) {
      boolean globally =
          deployed.stage() != Stage.TRAINED && settings.coversGlobally(deployed.round(), rounds);
      waiting.add(
          new Waiting(
              observed,
              deployed,
              evaluator.own(observed.peer(), deployed),
              globally ? evaluator.global(observed.peer(), deployed) : null,
              figures == null ? new TreeMap<>() : figures));
    }
    drain(MOST_WAITING);
  }

  /** Writes what is evaluated, and waits for the rest until no more than so many are left. */
  private void drain(int most) {
    while (!waiting.isEmpty() && (waiting.size() > most || isDone(waiting.getFirst()))) {
      MetricLine line = line(waiting.removeFirst());
      metrics.append(line);
      table.add(line);
      table.newestMean().ifPresent(progress::accuracy);
    }
  }

  private static boolean isDone(Waiting first) {
    return first.own().isDone() && (first.global() == null || first.global().isDone());
  }

  private MetricLine line(Waiting next) {
    Score own = workers.await(next.own());
    Score global = next.global() == null ? null : workers.await(next.global());
    SortedMap<String, Double> extra = new TreeMap<>(next.extra());
    own.errors().forEach((name, error) -> put(extra, name, error));
    if (global != null) {
      global.errors().forEach((name, error) -> put(extra, globally(name), error));
    }
    return new MetricLine(
        next.deployed().round(),
        next.observed().peer().number(),
        next.deployed().stage().name().toLowerCase(Locale.ROOT),
        finite(own.loss()),
        finite(own.accuracy()),
        own.samples(),
        global == null ? null : finite(global.accuracy()),
        next.observed().pulled(),
        next.observed().sentBytes(),
        next.observed().receivedBytes(),
        Ticks.toSeconds(next.observed().tick()),
        extra);
  }

  /** The name of a figure when it is taken on the common test set: globalAccuracy of accuracy. */
  private static String globally(String name) {
    return "global" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  private static void put(SortedMap<String, Double> extra, String name, double figure) {
    if (Double.isFinite(figure)) {
      extra.put(name, figure);
    }
  }

  private static @Nullable Double finite(double figure) {
    return Double.isFinite(figure) ? Double.valueOf(figure) : null;
  }

  /** Waits for every evaluation, brings the file to the disk and answers its length. */
  long sync() {
    drain(0);
    return metrics.sync();
  }
}
