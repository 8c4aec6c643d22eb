package io.kindred.studies.discovery;

import io.kindred.core.config.SettingException;
import io.kindred.protocol.discovery.SketchRule.Subject;
import io.kindred.protocol.discovery.ViewSettingsBuilder;
import io.kindred.runtime.LiveHeap;
import io.kindred.runtime.Progress;
import io.kindred.studies.discovery.DiscoveryResult.Accusations;
import io.kindred.studies.discovery.DiscoveryResult.ComparisonResult;
import io.kindred.studies.discovery.DiscoveryResult.CurvePoint;
import io.kindred.studies.discovery.DiscoveryResult.Resources;
import io.kindred.studies.discovery.DiscoveryResult.RoundResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;

/** Runs a {@link DiscoveryStudy}. */
public final class DiscoveryStudyRun {
  private static final double NANOS_PER_SECOND = 1e9;

  private final DiscoveryStudy study;
  private final PeerVectors vectors;

  public DiscoveryStudyRun(DiscoveryStudy study, PeerVectors vectors) {
    this.study = study;
    this.vectors = vectors;
    if (study.drift().at() > 0 && !vectors.canDrift()) {
      throw new SettingException(
          "drift.at", "models of a run cannot drift", "leave drift out, or leave out --models");
    }
    Subject subject = study.views().sketch().of();
    boolean layers = !vectors.canDrift();
    if (subject == Subject.UPDATE || (subject != Subject.CHANGE && !layers)) {
      throw new SettingException(
          "views.sketch.of",
          layers
              ? "a run does not save the weights before its last training"
              : "drawn vectors have no layers and no last training",
          layers ? "write change, head or body" : "write change");
    }
  }

  /** Takes what each round has measured, as soon as it has: a round of many peers takes minutes. */
  public interface RoundListener {
    RoundListener NONE = (point, seconds) -> {};

    /**
     * A round is over.
     *
     * @param seconds wall time since the first round began
     */
    void roundMeasured(CurvePoint point, double seconds);
  }

  /** Runs the views only. */
  public DiscoveryResult run(Progress progress) {
    return run(progress, RoundListener.NONE, rounds -> Optional.empty());
  }

  /** Runs the views, then compares their rounds with other ways to find similar peers. */
  public DiscoveryResult run(
      Progress progress,
      RoundListener listener,
      Function<List<RoundResult>, Optional<ComparisonResult>> comparison) {
    boolean twice = study.liars().share() > 0;
    progress.begin("discovery", (twice ? 2L : 1) * study.rounds(), 0);
    long usedBefore = LiveHeap.bytes();
    ViewsRun views = new ViewsRun(study, vectors);
    long start = System.nanoTime();
    runRounds(views, study, progress, listener);
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    double heap = (LiveHeap.bytes() - usedBefore) / (double) study.peers();
    DiscoveryResult result =
        new DiscoveryResult(
            views.curve().getLast().recall(),
            study,
            views.rounds(),
            views.curve(),
            views.searchStrangers(),
            views.measures().state(),
            study.pulls()
                ? Optional.of(
                    new Accusations(
                        views.network().falseAccusations(), views.network().convictions()))
                : Optional.empty(),
            twice ? withoutChecks(progress) : List.of(),
            comparison.apply(views.rounds()),
            new Resources(seconds, heap, ForkJoinPool.getCommonPoolParallelism()));
    progress.end("done");
    return result;
  }

  private static void runRounds(
      ViewsRun views, DiscoveryStudy study, Progress progress, RoundListener listener) {
    long start = System.nanoTime();
    for (int round = 1; round <= study.rounds(); round++) {
      views.round(round);
      listener.roundMeasured(
          views.curve().getLast(), (System.nanoTime() - start) / NANOS_PER_SECOND);
      progress.stepCompleted();
    }
  }

  /** The same network and the same lies, in which no sketch is checked. */
  private List<RoundResult> withoutChecks(Progress progress) {
    DiscoveryStudy trusting =
        DiscoveryStudyBuilder.from(study)
            .views(ViewSettingsBuilder.from(study.views()).checks(false).build())
            .build();
    ViewsRun views = new ViewsRun(trusting, vectors);
    runRounds(views, trusting, progress, RoundListener.NONE);
    return views.rounds();
  }
}
