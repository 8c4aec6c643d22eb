package io.kindred.runtime.metrics;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Digest;
import io.kindred.learning.training.EvaluationResult;
import io.kindred.runtime.ObservationListener;
import io.kindred.runtime.Progress;
import io.kindred.runtime.RoundCompletion;
import io.kindred.runtime.Workers;
import io.kindred.runtime.config.EvaluationSettings;
import io.kindred.runtime.folder.ModelFiles;
import io.kindred.runtime.metrics.MetricLine.MixedLine;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Writes the observations of a run in the order of events: a line waits for its evaluation, and
 * later lines wait for that line. The number of pending lines is bounded, because each holds a
 * model.
 */
public final class Recorder implements ObservationListener {
  /** The share of the K most similar peers that a search found. */
  public static final String RECALL = "recallAtK";

  /** The same share, with similarity by whole vectors. */
  public static final String FULL_RECALL = "recallAtKFull";

  /** The share of the mixed weight of other peers that belongs to the own planted group. */
  public static final String PURITY = "purity";

  /** How often a model puts a sample with the trigger of a back door into its target class. */
  public static final String BACK_DOOR = "backDoor";

  private static final int MOST_PENDING_LINES = 512;

  /** Bounds the length of a line, also for a peer that mixes the models of a whole network. */
  private static final int MOST_MIXED_MODELS = 64;

  private static final double WEIGHT_STEPS = 1e6;

  /** A figure that is being computed. */
  public interface DeferredFigure {
    boolean isDone();

    /** The figure; waits until it is computed. */
    double value();

    static DeferredFigure of(double value) {
      return new DeferredFigure() {
        @Override
        public boolean isDone() {
          return true;
        }

        @Override
        public double value() {
          return value;
        }
      };
    }
  }

  private record PendingLine(
      Observed observed,
      Deployed deployed,
      Future<EvaluationResult> own,
      @Nullable Future<EvaluationResult> global,
      @Nullable Future<EvaluationResult> triggered,
      SortedMap<String, Double> extra,
      SortedMap<String, DeferredFigure> deferred,
      @Nullable List<MixedLine> mixed) {}

  private final EvaluationSettings settings;
  private final RoundCompletion roundCompletion;
  private final Workers workers;
  private final Evaluator evaluator;
  private final MetricsFile metrics;
  private final RoundTable table;
  private final ModelFiles models;
  private final Progress progress;
  private final PendingMetrics pending;
  private final Optional<PeerGroups> groups;
  // Of models that peers deploy next, as the figures of PendingMetrics, to which sync moves them.
  private final SortedMap<Long, SortedMap<String, DeferredFigure>> deferred = new TreeMap<>();
  private final Deque<PendingLine> pendingLines = new ArrayDeque<>();

  /**
   * A recorder that continues where the pending metrics end.
   *
   * @param groups the planted groups; empty if the partition plants none
   */
  public Recorder(
      EvaluationSettings settings,
      RoundCompletion roundCompletion,
      Workers workers,
      Evaluator evaluator,
      MetricsFile metrics,
      RoundTable table,
      ModelFiles models,
      Progress progress,
      PendingMetrics pending,
      Optional<PeerGroups> groups) {
    this.settings = settings;
    this.roundCompletion = roundCompletion;
    this.workers = workers;
    this.evaluator = evaluator;
    this.metrics = metrics;
    this.table = table;
    this.models = models;
    this.progress = progress;
    this.pending = pending;
    this.groups = groups;
  }

  @Override
  public void observed(Observed observed) {
    switch (observed.observation()) {
      case Observation.Deployed deployed -> deployed(observed, deployed);
      case Observation.Measured figure -> measured(observed.peer(), figure.name(), figure.value());
      case Observation.ModelsHeld modelsHeld ->
          pending.consensus().add(observed.peer(), modelsHeld.models());
      case Observation.SamplesClustered each ->
          pending.sampleClusters().put(observed.peer().number(), each.clusters());
      case Observation.ModelsMixed models ->
          pending
              .mixtures()
              .compute(
                  observed.peer().number(),
                  (peer, before) -> (before == null ? PendingMixture.NONE : before).with(models));
      case Observation.ClientDeployed _,
          Observation.SearchCompleted _,
          Observation.RoundCompleted _,
          Observation.Counted _,
          Observation.Warned _,
          Observation.Contradicted _ -> {}
    }
  }

  /** The models in the model that a peer deploys now, as far as other peers trained them. */
  private Optional<List<MixedModel>> mixed(PeerId peer) {
    Optional<List<MixedModel>> models =
        Optional.ofNullable(pending.mixtures().remove(peer.number())).map(PendingMixture::models);
    models
        .flatMap(each -> groups.map(known -> known.purity(peer, each)))
        .filter(OptionalDouble::isPresent)
        .ifPresent(purity -> measured(peer, PURITY, purity.getAsDouble()));
    return models;
  }

  /** Adds a figure to the line of the model that the peer deploys next. */
  public void measured(PeerId peer, String name, double value) {
    pending.measured().computeIfAbsent(peer.number(), unseen -> new TreeMap<>()).put(name, value);
  }

  /** The same for a figure that is being computed. */
  public void measured(PeerId peer, String name, DeferredFigure figure) {
    deferred.computeIfAbsent(peer.number(), unseen -> new TreeMap<>()).put(name, figure);
  }

  /** Metrics that peers have reported and no file holds yet, as of the last {@link #sync}. */
  public PendingMetrics pendingMetrics() {
    return pending;
  }

  private void deployed(Observed observed, Deployed deployed) {
    pending.deployments().add(observed.peer(), deployed);
    if (roundCompletion.isRoundModel(deployed)) {
      progress.stepCompleted();
    }
    if (roundCompletion.isModelToKeep(deployed)) {
      models.save(observed.peer(), deployed);
    }
    // A model that was trained only holds no more of others than the one that it was trained from.
    Optional<List<MixedModel>> mixed =
        deployed.stage() == Stage.TRAINED ? Optional.empty() : mixed(observed.peer());
    @Nullable SortedMap<String, Double> figures =
        pending.measured().remove(observed.peer().number());
    @Nullable SortedMap<String, DeferredFigure> deferredFigures =
        deferred.remove(observed.peer().number());
    int rounds = roundCompletion.rounds();
    if (settings.evaluatesRound(deployed.round(), rounds)
        && settings.evaluatesPeer(observed.peer().number())) {
      boolean globally =
          deployed.stage() != Stage.TRAINED
              && settings.evaluatesGloballyInRound(deployed.round(), rounds);
      pendingLines.add(
          new PendingLine(
              observed,
              deployed,
              evaluator.own(observed.peer(), deployed),
              globally ? evaluator.global(observed.peer(), deployed) : null,
              deployed.stage() != Stage.TRAINED
                  ? evaluator.triggered(observed.peer(), deployed).orElse(null)
                  : null,
              figures == null ? new TreeMap<>() : figures,
              deferredFigures == null ? new TreeMap<>() : deferredFigures,
              mixed.map(Recorder::mixedLines).orElse(null)));
    }
    drain(MOST_PENDING_LINES);
  }

  /**
   * Writes evaluated lines, and waits for evaluations until at most {@code most} lines are pending.
   */
  private void drain(int most) {
    while (!pendingLines.isEmpty()
        && (pendingLines.size() > most || isDone(pendingLines.getFirst()))) {
      MetricLine line = line(pendingLines.removeFirst());
      metrics.append(line);
      table.add(line);
      table.newestMean().ifPresent(progress::accuracy);
    }
  }

  private static boolean isDone(PendingLine first) {
    return first.own().isDone()
        && (first.global() == null || first.global().isDone())
        && first.deferred().values().stream().allMatch(DeferredFigure::isDone)
        && (first.triggered() == null || first.triggered().isDone());
  }

  private MetricLine line(PendingLine next) {
    EvaluationResult own = workers.await(next.own());
    EvaluationResult global = next.global() == null ? null : workers.await(next.global());
    SortedMap<String, Double> extra = new TreeMap<>(next.extra());
    next.deferred().forEach((name, figure) -> extra.put(name, figure.value()));
    if (next.triggered() != null) {
      put(extra, BACK_DOOR, workers.await(next.triggered()).accuracy());
    }
    own.measures().forEach((name, figure) -> put(extra, name, figure));
    if (global != null) {
      global.measures().forEach((name, figure) -> put(extra, globalName(name), figure));
    }
    return new MetricLine(
        next.deployed().round(),
        next.observed().peer().number(),
        next.deployed().stage().name().toLowerCase(Locale.ROOT),
        finite(own.loss()),
        finite(own.accuracy()),
        own.samples(),
        global == null ? null : finite(global.accuracy()),
        next.observed().modelsReceived(),
        next.observed().sentBytes(),
        next.observed().receivedBytes(),
        Ticks.toSeconds(next.observed().tick()),
        extra,
        next.mixed(),
        isLast(next.deployed()) ? MetricLine.cells(own.confusion()) : null);
  }

  /** Which classes are taken for which is of interest for the models that remain. */
  private boolean isLast(Deployed deployed) {
    return deployed.stage() != Stage.TRAINED && deployed.round() >= roundCompletion.rounds();
  }

  /** The models with the largest weights, the largest first; of equal ones, the first peer. */
  private static List<MixedLine> mixedLines(List<MixedModel> models) {
    return models.stream()
        .sorted(
            Comparator.comparingDouble(MixedModel::weight)
                .reversed()
                .thenComparing(MixedModel::peer))
        .limit(MOST_MIXED_MODELS)
        .map(
            each ->
                new MixedLine(
                    each.peer().number(),
                    each.round(),
                    Math.rint(each.weight() * WEIGHT_STEPS) / WEIGHT_STEPS,
                    each.samples() == 0 ? null : Integer.valueOf(each.samples()),
                    each.treatment() == MixedModel.Treatment.FULL
                        ? null
                        : each.treatment().name().toLowerCase(Locale.ROOT)))
        .toList();
  }

  /** The name of a figure of the common test set: globalAccuracy for accuracy. */
  private static String globalName(String name) {
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

  /**
   * The hash of the results: every byte of the metrics and every model that a peer deployed. Two
   * methods with the same events, such as one with and one without a personal phase, differ in it.
   */
  public Digest resultHash() {
    sync();
    MessageDigest sha = Digest.sha256();
    sha.update(metrics.digest().bytes());
    return Digest.ofHash(sha.digest(pending.deployments().head().bytes()));
  }

  /** Waits for every evaluation, forces the file to the disk and returns its length. */
  public long sync() {
    drain(0);
    deferred.forEach(
        (peer, figures) ->
            figures.forEach((name, figure) -> measured(new PeerId(peer), name, figure.value())));
    deferred.clear();
    return metrics.sync();
  }
}
