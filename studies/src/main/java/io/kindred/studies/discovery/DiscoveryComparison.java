package io.kindred.studies.discovery;

import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.environment.topology.Graph;
import io.kindred.protocol.discovery.ViewMessage.Query;
import io.kindred.runtime.Progress;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.studies.discovery.DiscoveryResult.ComparisonResult;
import io.kindred.studies.discovery.DiscoveryResult.OverlaySearch;
import io.kindred.studies.discovery.DiscoveryResult.RoundResult;
import io.kindred.studies.discovery.DiscoveryResult.UnguidedSearch;
import io.kindred.studies.overlay.OverlayStudy;
import io.kindred.studies.overlay.OverlayStudyBuilder;
import io.kindred.studies.overlay.OverlayStudyResult;
import io.kindred.studies.overlay.OverlayStudyRun;
import io.kindred.studies.overlay.PeerSignatures;
import io.kindred.studies.overlay.UnguidedSearchBaselines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The semantic overlay, flooding and random probing on the same vectors. The exact answer is the
 * same for all of them: the largest cosines of the whole vectors.
 */
public final class DiscoveryComparison {
  private static final double BYTES_PER_KILOBYTE = 1e3;

  private final DiscoveryStudy study;
  private final PeerVectors vectors;
  private final OverlayStudy overlay;

  public DiscoveryComparison(DiscoveryStudy study, PeerVectors vectors) {
    this.study = study;
    this.vectors = vectors;
    if (study.peers() > study.compare().largest()) {
      throw new SettingException(
          "compare.largest",
          "an overlay of " + study.peers() + " peers takes long",
          "compare fewer peers, or allow it with --set compare.largest="
              + study.peers()
              + " (at most 10000)");
    }
    OverlayStudy usual =
        new Binder(Experiment.CATALOGUES)
            .bind(OverlayStudy.class, ConfigFile.parse("compare", "bothReadings: true\n"));
    int sketchBytes = study.views().sketch().bytes();
    overlay =
        OverlayStudyBuilder.from(usual)
            .peers(study.peers())
            .seed(study.seed())
            .drawn(study.drawn().withEntries(study.compare().entries(sketchBytes)))
            .overlay(usual.overlay().withZoneSize(study.compare().zoneSize()))
            .beams(study.compare().beams())
            .wanted(List.of(study.wanted()))
            .askers(study.sampled())
            .build();
  }

  /** The overlay that is compared with the views. */
  public OverlayStudy overlayStudy() {
    return overlay;
  }

  /** The signatures of drawn vectors, together with the vectors. */
  public PeerSignatures drawnSignatures() {
    PeerSignatures drawn = overlay.drawSignatures();
    Layout layout = Layout.builder().add("drawn", study.drawn().dimension()).build();
    return new PeerSignatures(
        drawn.signatures(),
        drawn.minimumEntries(),
        IntStream.range(0, study.peers())
            .mapToObj(i -> Weights.wrap(layout, vectors.vector(i, 0)))
            .toList());
  }

  /** Builds and searches the overlay, and spends the same bytes without structure. */
  public ComparisonResult run(
      List<RoundResult> rounds,
      PeerSignatures signatures,
      TextFiles files,
      ExecutorService pool,
      Progress progress) {
    OverlayStudyResult built = new OverlayStudyRun(overlay, signatures, files, pool).run(progress);
    List<OverlaySearch> searches = new ArrayList<>();
    SortedSet<Double> budgets = new TreeSet<>();
    double buildKilobytes = built.building().bytesPerPeer() / BYTES_PER_KILOBYTE;
    for (OverlayStudyResult.SearchResult each : built.searches()) {
      double kilobytes = each.bytesPerQuery() / BYTES_PER_KILOBYTE;
      searches.add(
          new OverlaySearch(
              each.reading(),
              each.beam(),
              each.recallModels().orElse(each.recall()),
              each.recall(),
              each.messagesPerQuery(),
              kilobytes));
      budgets.add(buildKilobytes + kilobytes);
    }
    rounds.forEach(each -> budgets.add(each.totalKilobytes()));
    return new ComparisonResult(
        built.building().messagesPerPeer(),
        buildKilobytes,
        searches,
        queryBytes(),
        unguided(budgets, files));
  }

  /** Bytes of a message that carries one sketch. */
  private long queryBytes() {
    return MessageSizes.of(
        new Query(1, vectors.sketch(0, 0, study.views().sketch()), study.wanted()));
  }

  private List<UnguidedSearch> unguided(SortedSet<Double> budgets, TextFiles files) {
    int sampled = Math.min(study.sampled(), study.peers());
    int[] askers =
        IntStream.range(0, sampled).map(i -> (int) ((long) i * study.peers() / sampled)).toArray();
    List<int[]> nearest =
        new NearestPeers(vectors, askers).nearest(i -> true, i -> true, study.wanted());
    Graph graph =
        overlay
            .topology()
            .connect(
                study.peers(),
                new RandomStreams(study.seed()).stream(Purpose.TOPOLOGY, 0, 0),
                files);
    List<UnguidedSearch> searches = new ArrayList<>();
    for (double kilobytes : budgets) {
      long messages = (long) (kilobytes * BYTES_PER_KILOBYTE / queryBytes());
      double flooding =
          meanShare(
              nearest, i -> UnguidedSearchBaselines.reachedByFlooding(graph, askers[i], messages));
      double probing =
          meanShare(
              nearest,
              i ->
                  UnguidedSearchBaselines.reachedByProbing(
                      graph, askers[i], messages, study.seed()));
      searches.add(new UnguidedSearch(kilobytes, messages, flooding, probing));
    }
    return searches;
  }

  private static double meanShare(List<int[]> nearest, IntFunction<List<PeerId>> reached) {
    double[] shares =
        IntStream.range(0, nearest.size())
            .parallel()
            .mapToDouble(i -> share(nearest.get(i), reached.apply(i)))
            .toArray();
    return Arrays.stream(shares).average().orElse(0);
  }

  private static double share(int[] nearest, List<PeerId> reached) {
    SortedSet<PeerId> set = new TreeSet<>(reached);
    return IntStream.of(nearest).filter(each -> set.contains(new PeerId(each))).count()
        / (double) Math.max(1, nearest.length);
  }
}
