package io.kindred.studies.overlay;

import io.kindred.core.config.TextFiles;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.invariants.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Runs an {@link OverlayFuzzCase}: peers query continuously while faults occur; after the last
 * fault, the overlay has to repair its structure, and every peer has to find all others.
 */
public final class OverlayFuzzRun {
  /** A search that visits the whole overlay. */
  private static final SearchRule EXHAUSTIVE_SEARCH =
      new SearchRule(4096, SearchRule.BeamScope.NODE, 100_000);

  private static final SearchRule NORMAL_SEARCH = new SearchRule(8, SearchRule.BeamScope.NODE, 0);
  private static final int WANTED = 3;

  /** Time limit in seconds for the queries of a reachability check. */
  private static final double REACHABILITY_CHECK_SECONDS = 60;

  /** Queries continuously; during a reachability check, each peer queries once for all others. */
  private final class ReachabilityWorkload implements OverlaySimulation.QueryWorkload {
    private final SortedMap<PeerId, Long> queryNumbers = new TreeMap<>();
    private final SortedMap<PeerId, Long> modelChanges = new TreeMap<>();
    private final SortedMap<PeerId, Long> checkNumbers = new TreeMap<>();
    private final SortedMap<PeerId, List<Candidate>> checkResults = new TreeMap<>();
    private boolean checking;

    @Override
    public Optional<QueryClient.IssueQuery> next(PeerId peer, long tick) {
      long number = queryNumbers.merge(peer, 1L, Long::sum);
      if (checking && !checkNumbers.containsKey(peer)) {
        checkNumbers.put(peer, number);
        return Optional.of(
            new QueryClient.IssueQuery(number, fuzzCase.peers() - 1, EXHAUSTIVE_SEARCH, 1));
      }
      int wanted = Math.min(WANTED, fuzzCase.peers() - 1);
      QueryClient.IssueQuery usual =
          new QueryClient.IssueQuery(
              number, wanted, NORMAL_SEARCH, Ticks.ofSeconds(fuzzCase.everySeconds()));
      boolean changesModel =
          tick < Ticks.ofSeconds(fuzzCase.faults().untilSeconds())
              && number % QUERIES_BETWEEN_MODEL_CHANGES
                  == peer.number() % QUERIES_BETWEEN_MODEL_CHANGES;
      return Optional.of(changesModel ? usual.withModel(alternatingModel(peer)) : usual);
    }

    /** Alternates between the drifted and the original signature. */
    private OverlayLocalMessage.SignatureUpdated alternatingModel(PeerId peer) {
      long times = modelChanges.merge(peer, 1L, Long::sum);
      return (times % 2 == 1 ? driftedSignatures : signatures).signedMessage(peer);
    }

    @Override
    public void answered(PeerId peer, OverlayLocalMessage.SearchFinished answer) {
      Long asked = checkNumbers.get(peer);
      if (asked != null && asked == answer.number()) {
        checkResults.put(peer, answer.candidates());
      }
    }
  }

  /** While faults occur, a peer changes its model after this many queries. */
  private static final int QUERIES_BETWEEN_MODEL_CHANGES = 7;

  private final OverlayFuzzCase fuzzCase;
  private final PeerSignatures signatures;
  private final PeerSignatures driftedSignatures;
  private final ReachabilityWorkload workload = new ReachabilityWorkload();
  private final OverlaySimulation overlay;

  public OverlayFuzzRun(OverlayFuzzCase fuzzCase, TextFiles files, StepListener listener) {
    this.fuzzCase = fuzzCase;
    signatures = fuzzCase.drawSignatures(0);
    driftedSignatures = fuzzCase.drawSignatures(1);
    overlay =
        new OverlaySimulation(
            fuzzCase.world(files),
            fuzzCase.overlay(),
            signatures,
            workload,
            new UncheckedProofVerifier(),
            Runnable::run,
            Invariants.all(fuzzCase.peers(), 0)
                .with(new ZonesKeepTheirBounds(fuzzCase.overlay()))
                .with(new QueriesEnd(fuzzCase.overlay()))
                .with(listener));
  }

  public Simulation simulation() {
    return overlay.simulation();
  }

  /** Runs the case; returns the remaining violations, none if the overlay was repaired. */
  public List<String> run() {
    double faultsEnd = fuzzCase.faults().untilSeconds();
    List<String> violations = List.of();
    for (double after = 0; after <= fuzzCase.healSeconds(); after += 1) {
      overlay.runUntil(Ticks.ofSeconds(faultsEnd + after) + 1);
      violations = overlay.structure().violations();
      if (violations.isEmpty()) {
        violations = checkReachability();
        if (violations.isEmpty()) {
          return violations;
        }
        after = Math.max(after, Ticks.toSeconds(overlay.simulation().tick()) - faultsEnd);
      }
    }
    return violations;
  }

  /** Checks that every live peer finds all other live peers. */
  private List<String> checkReachability() {
    workload.checking = true;
    workload.checkNumbers.clear();
    workload.checkResults.clear();
    List<PeerId> present = overlay.livePeers();
    long end = overlay.simulation().tick() + Ticks.ofSeconds(REACHABILITY_CHECK_SECONDS);
    while (workload.checkResults.size() < present.size()
        && overlay.simulation().tick() < end
        && overlay.step()) {
      // The step does all the work.
    }
    workload.checking = false;
    List<String> violations = new ArrayList<>();
    for (PeerId peer : present) {
      List<Candidate> found = workload.checkResults.get(peer);
      if (found == null) {
        violations.add(peer + " was not answered");
      } else if (found.size() != present.size() - 1) {
        violations.add(peer + " found " + found.size() + " of " + (present.size() - 1) + " peers");
      }
    }
    return violations;
  }
}
