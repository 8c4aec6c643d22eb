package io.kindred.lab.run;

import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.lab.experiment.EvaluationSettings;
import io.kindred.methods.semantic.Oracle;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.simulator.Everybody;
import io.kindred.simulator.SimulationListener;
import io.kindred.simulator.oracle.Ranking;
import java.util.List;

/**
 * Compares what a search found with the exact answer, which only a simulator can compute, and hands
 * the recall and all other observations to a {@link Recorder}.
 */
final class RecallRecorder implements SimulationListener {
  private final Recorder recorder;
  private final EvaluationSettings settings;
  private final int rounds;
  private final Ranking ranking = new Ranking();

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
  public void observed(Observed observed, Everybody everybody) {
    if (observed.observation() instanceof Observation.Found found) {
      judge(observed.peer(), found, everybody);
    } else {
      observed(observed);
    }
  }

  /**
   * Recall by signatures in every evaluated round; by whole vectors, which is slow, in the last.
   */
  private void judge(PeerId peer, Observation.Found found, Everybody everybody) {
    if (!settings.covers(found.round(), rounds) || !settings.includes(peer.number())) {
      return;
    }
    recorder.measured(peer, Recorder.RECALL, recall(peer, found, everybody, Oracle.By.SIGNATURE));
    if (found.round() >= rounds) {
      recorder.measured(
          peer, Recorder.FULL_RECALL, recall(peer, found, everybody, Oracle.By.WEIGHTS));
    }
  }

  private double recall(PeerId peer, Observation.Found found, Everybody everybody, Oracle.By by) {
    List<Candidate> exact = ranking.nearest(peer, everybody, by, found.wanted());
    long hits = exact.stream().filter(each -> found.peers().contains(each.peer())).count();
    return exact.isEmpty() ? 1 : (double) hits / exact.size();
  }
}
