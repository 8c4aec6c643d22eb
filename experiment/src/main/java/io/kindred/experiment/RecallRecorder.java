package io.kindred.experiment;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.runtime.Workers;
import io.kindred.runtime.Workers.Activity;
import io.kindred.runtime.config.EvaluationSettings;
import io.kindred.runtime.metrics.Recorder;
import io.kindred.simulator.GlobalView;
import io.kindred.simulator.SimulationListener;
import io.kindred.simulator.oracle.ExactNeighbours;
import io.kindred.simulator.oracle.SimilarityRanking;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares each search result with the exact answer, which only a simulator can compute, and passes
 * the recall and all other observations to a {@link Recorder}.
 */
final class RecallRecorder implements SimulationListener {
  /** Products of a round's comparisons by whole vectors; a core takes a few seconds for them. */
  private static final double MAX_PRODUCTS_PER_ROUND = 2e10;

  /** Searches whose exact answers are computed together; each reads the models of all peers. */
  private static final int MOST_IN_BATCH = 32;

  private final Recorder recorder;
  private final EvaluationSettings settings;
  private final int rounds;
  private final Workers workers;
  private Batch batch = new Batch();

  RecallRecorder(Recorder recorder, EvaluationSettings settings, int rounds, Workers workers) {
    this.recorder = recorder;
    this.settings = settings;
    this.rounds = rounds;
    this.workers = workers;
  }

  /**
   * Searches that are compared with their exact answers by whole vectors, in one piece of work. It
   * starts when the batch is full, or when the recorder needs a figure of it.
   */
  private final class Batch {
    private final List<ExactNeighbours.ByWeights> asked = new ArrayList<>();
    private final List<List<PeerId>> found = new ArrayList<>();
    private @Nullable Future<double[]> started;

    Recorder.DeferredFigure add(ExactNeighbours.ByWeights exact, List<PeerId> searchResult) {
      int index = asked.size();
      asked.add(exact);
      found.add(searchResult);
      if (asked.size() == MOST_IN_BATCH) {
        started = start();
      }
      return new Recorder.DeferredFigure() {
        @Override
        public boolean isDone() {
          Future<double[]> known = started;
          return known != null && known.isDone();
        }

        @Override
        public double value() {
          return workers.await(startIfNeeded())[index];
        }
      };
    }

    private Future<double[]> startIfNeeded() {
      Future<double[]> known = started;
      if (known == null) {
        known = start();
        started = known;
      }
      return known;
    }

    private Future<double[]> start() {
      batch = new Batch();
      return workers.submit(Activity.OTHER, this::recalls);
    }

    private double[] recalls() {
      List<List<Candidate>> exact = ExactNeighbours.ByWeights.compute(asked);
      double[] recalls = new double[exact.size()];
      for (int i = 0; i < recalls.length; i++) {
        recalls[i] = recall(exact.get(i), found.get(i));
      }
      // The figures may wait for long, and must not retain the models.
      asked.clear();
      return recalls;
    }
  }

  @Override
  public void observed(Observed observed) {
    recorder.observed(observed);
  }

  @Override
  public void observed(Observed observed, GlobalView view) {
    if (observed.observation() instanceof Observation.SearchCompleted searchCompleted) {
      judge(observed.peer(), searchCompleted, view);
    } else {
      observed(observed);
    }
  }

  /**
   * Measures recall by signature in every evaluated round; recall by whole weight vectors is slow
   * and measured in the last round only. Workers compute both: the states are looked at here, and
   * what is compared never changes. Peers without signatures are judged by whole vectors alone, in
   * every evaluated round of a network that is small enough.
   */
  private void judge(PeerId peer, Observation.SearchCompleted searchCompleted, GlobalView view) {
    if (!settings.evaluatesRound(searchCompleted.round(), rounds)
        || !settings.evaluatesPeer(peer.number())) {
      return;
    }
    boolean last = searchCompleted.round() >= rounds;
    PeerSearchState state = SimilarityRanking.searchStateOf(view.state(peer)).orElseThrow();
    boolean signs = state.signature().isPresent();
    if (signs) {
      recorder.measured(peer, Recorder.RECALL, bySignature(peer, searchCompleted, view));
    }
    double peers = view.livePeers().size();
    boolean cheap = peers * peers * state.model().trained().size() <= MAX_PRODUCTS_PER_ROUND;
    if (last || (!signs && cheap)) {
      Recorder.DeferredFigure full = byWeights(peer, searchCompleted, view);
      recorder.measured(peer, Recorder.FULL_RECALL, full);
      if (!signs) {
        recorder.measured(peer, Recorder.RECALL, full);
      }
    }
  }

  private Recorder.DeferredFigure bySignature(
      PeerId peer, Observation.SearchCompleted searchCompleted, GlobalView view) {
    List<PeerId> found = searchCompleted.peers();
    return ExactNeighbours.BySignature.of(peer, view, searchCompleted.wanted())
        .map(exact -> submitted(() -> recall(exact.compute(), found)))
        .orElseGet(() -> Recorder.DeferredFigure.of(recall(List.of(), found)));
  }

  private Recorder.DeferredFigure submitted(Supplier<Double> recall) {
    Future<Double> future = workers.submit(Activity.OTHER, recall);
    return new Recorder.DeferredFigure() {
      @Override
      public boolean isDone() {
        return future.isDone();
      }

      @Override
      public double value() {
        return workers.await(future);
      }
    };
  }

  private Recorder.DeferredFigure byWeights(
      PeerId peer, Observation.SearchCompleted searchCompleted, GlobalView view) {
    List<PeerId> found = searchCompleted.peers();
    return ExactNeighbours.ByWeights.of(peer, view, searchCompleted.wanted())
        .map(exact -> batch.add(exact, found))
        .orElseGet(() -> Recorder.DeferredFigure.of(recall(List.of(), found)));
  }

  private static double recall(List<Candidate> exact, List<PeerId> found) {
    long hits = exact.stream().filter(each -> found.contains(each.peer())).count();
    return exact.isEmpty() ? 1 : (double) hits / exact.size();
  }
}
