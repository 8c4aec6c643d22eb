package io.kindred.experiment;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.discovery.Oracle;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.runtime.config.EvaluationSettings;
import io.kindred.runtime.metrics.Recorder;
import io.kindred.simulator.GlobalView;
import io.kindred.simulator.SimulationListener;
import io.kindred.simulator.oracle.SimilarityRanking;
import java.util.List;

/**
 * Compares each search result with the exact answer, which only a simulator can compute, and passes
 * the recall and all other observations to a {@link Recorder}.
 */
final class RecallRecorder implements SimulationListener {
  /** Products of a round's comparisons by whole vectors; a core takes a few seconds for them. */
  private static final double MAX_PRODUCTS_PER_ROUND = 2e10;

  private final Recorder recorder;
  private final EvaluationSettings settings;
  private final int rounds;
  private final SimilarityRanking similarityRanking = new SimilarityRanking();

  RecallRecorder(Recorder recorder, EvaluationSettings settings, int rounds) {
    this.recorder = recorder;
    this.settings = settings;
    this.rounds = rounds;
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
   * and measured in the last round only. Peers without signatures are judged by whole vectors
   * alone, in every evaluated round of a network that is small enough.
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
      recorder.measured(
          peer, Recorder.RECALL, recall(peer, searchCompleted, view, Oracle.ComparedBy.SIGNATURE));
    }
    double peers = view.livePeers().size();
    boolean cheap = peers * peers * state.model().trained().size() <= MAX_PRODUCTS_PER_ROUND;
    if (last || (!signs && cheap)) {
      double full = recall(peer, searchCompleted, view, Oracle.ComparedBy.WEIGHTS);
      recorder.measured(peer, Recorder.FULL_RECALL, full);
      if (!signs) {
        recorder.measured(peer, Recorder.RECALL, full);
      }
    }
  }

  private double recall(
      PeerId peer,
      Observation.SearchCompleted searchCompleted,
      GlobalView view,
      Oracle.ComparedBy comparedBy) {
    List<Candidate> exact =
        similarityRanking.nearest(peer, view, comparedBy, searchCompleted.wanted());
    long hits =
        exact.stream().filter(each -> searchCompleted.peers().contains(each.peer())).count();
    return exact.isEmpty() ? 1 : (double) hits / exact.size();
  }
}
