package io.kindred.studies.overlay;

import io.kindred.core.config.TextFiles;
import io.kindred.core.peer.Ticks;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.ProofVerifier;
import io.kindred.runtime.LiveHeap;
import io.kindred.runtime.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;

/** Runs an {@link OverlayStudy}. */
public final class OverlayStudyRun {
  private static final double NANOS_PER_SECOND = 1e9;

  private final OverlayStudy study;
  private final PeerSignatures signatures;
  private final QueryStudy queryStudy;
  private final SimulatedEnvironment environment;
  private final ProofVerifier verifier;
  private final OverlaySimulation overlay;
  private final long heapBefore;

  public OverlayStudyRun(
      OverlayStudy study, PeerSignatures signatures, TextFiles files, ExecutorService pool) {
    heapBefore = LiveHeap.bytes();
    this.study = study;
    this.signatures = signatures;
    environment = study.world(files);
    // No peer fails and no model changes here: maintenance would only add keep-alive messages.
    OverlaySettings settings = study.overlay().with(MaintenanceSettings.DISABLED);
    queryStudy = new QueryStudy(study);
    verifier = ElectionIdentity.verifier(study.seed(), study.peers());
    overlay = new OverlaySimulation(environment, settings, signatures, queryStudy, verifier, pool);
  }

  /** The built overlay; call {@link #run} first. */
  public OverlayStructure structure() {
    return overlay.structure();
  }

  public OverlayStudyResult run(Progress progress) {
    progress.begin("overlay", study.peers() + queryStudy.expectedAnswers(), 0);
    long start = System.nanoTime();
    OverlaySimulation.precomputeProofs(verifier, study.seed(), study.peers());
    long proven = System.nanoTime();
    long built = proven;
    int shown = 0;
    while (overlay.step()) {
      for (int done = overlay.readyPeers() + queryStudy.answered(); shown < done; shown++) {
        progress.stepCompleted();
        if (shown + 1 == study.peers()) {
          built = System.nanoTime();
        }
      }
    }
    long end = System.nanoTime();
    OverlayStructure structure = overlay.structure();
    OverlayStudyResult overlayStudyResult =
        new OverlayStudyResult(
            study.peers(),
            study.overlay().zoneSize(),
            buildResult(structure),
            searchResults(),
            new TreeMap<>(overlay.trafficByMessage()),
            overlay.simulation().counts(),
            new OverlayStudyResult.WallTime(
                (proven - start) / NANOS_PER_SECOND,
                (built - proven) / NANOS_PER_SECOND,
                (end - built) / NANOS_PER_SECOND,
                (LiveHeap.bytes() - heapBefore) / (double) study.peers()));
    progress.end("done");
    return overlayStudyResult;
  }

  private OverlayStudyResult.BuildResult buildResult(OverlayStructure structure) {
    List<Long> state = structure.clusterStateBytes();
    double peers = study.peers();
    return new OverlayStudyResult.BuildResult(
        structure.depth(),
        structure.zones(1).size(),
        structure.clusters(1).size(),
        structure.clusters().size(),
        structure.roots().size(),
        Ticks.toSeconds(overlay.readyTick()),
        overlay.buildTraffic().messages() / peers,
        overlay.buildTraffic().bytes() / peers,
        state.stream().mapToLong(Long::longValue).average().orElse(0),
        state.stream().mapToLong(Long::longValue).max().orElse(0),
        structure.stateBound(),
        structure.agreedEntries(),
        structure.violations().size());
  }

  private List<OverlayStudyResult.SearchResult> searchResults() {
    List<OverlayStudyResult.SearchResult> searchResults = new ArrayList<>();
    for (int i = 0; i < queryStudy.questions().size(); i++) {
      searchResults.add(
          queryStudy.searchResult(i, signatures, environment.graph(), overlay.searchTraffic(i)));
    }
    return searchResults;
  }
}
