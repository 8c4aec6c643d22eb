package io.kindred.studies.overlay;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/** The measurements of an overlay study. */
public record OverlayStudyResult(
    int peers,
    int zoneSize,
    BuildResult building,
    List<SearchResult> searches,
    SortedMap<String, OverlaySimulation.TrafficVolume> messages,
    SortedMap<String, Long> counts,
    WallTime time) {
  /** The built structure and what it cost to build. */
  public record BuildResult(
      int depth,
      int zones,
      int leafClusters,
      int clusters,
      int topClusters,
      double virtualSeconds,
      double messagesPerPeer,
      double bytesPerPeer,
      double stateBytesPerPeer,
      long stateBytesOfBusiest,
      long stateBound,
      int entries,
      int faults) {}

  /**
   * Measurements of one kind of query, over all peers that asked it. Shares are shares of the other
   * peers.
   *
   * @param recall recall of the peers with the most similar signatures
   * @param recallModels recall of the peers with the most similar models, if there are models
   */
  public record SearchResult(
      int wanted,
      int beam,
      String reading,
      int queries,
      double recall,
      Optional<Double> recallModels,
      double messagesPerQuery,
      double bytesPerQuery,
      double superPeersVisited,
      double shareCompared,
      double attempts,
      double threshold,
      double secondsMean,
      double seconds95,
      double recallFlooding,
      double recallProbing) {}

  /**
   * Wall seconds; election proofs are computed before the overlay is built.
   *
   * @param heapBytesPerPeer what the run added to the heap, for each peer, after a collection
   */
  public record WallTime(
      double proving, double building, double searching, double heapBytesPerPeer) {}

  public String text() {
    StringBuilder out = new StringBuilder();
    BuildResult b = building;
    line(out, String.format(Locale.ROOT, "%d peers, zones of at most %d", peers, zoneSize));
    line(
        out,
        String.format(
            Locale.ROOT,
            "built      %d levels; %d zones, %d lowest clusters, %d clusters in all, %d at the top",
            b.depth(),
            b.zones(),
            b.leafClusters(),
            b.clusters(),
            b.topClusters()));
    line(
        out,
        String.format(
            Locale.ROOT,
            "           %.2f virtual s; %.1f messages and %,.0f bytes sent per peer",
            b.virtualSeconds(),
            b.messagesPerPeer(),
            b.bytesPerPeer()));
    line(
        out,
        String.format(
            Locale.ROOT,
            "state      %,.0f bytes per peer; busiest %,d (bound of proposition 3: %,d); agreed P = %d",
            b.stateBytesPerPeer(),
            b.stateBytesOfBusiest(),
            b.stateBound(),
            b.entries()));
    line(
        out,
        String.format(
            Locale.ROOT,
            "wall       %.1f s for proofs, %.1f s to build, %.1f s to query; heap %.1f kB a peer",
            time.proving(),
            time.building(),
            time.searching(),
            time.heapBytesPerPeer() / 1e3));
    if (!searches.isEmpty()) {
      writeSearches(out);
    }
    return out.toString();
  }

  private void writeSearches(StringBuilder out) {
    out.append('\n');
    line(
        out,
        String.format(
            Locale.ROOT,
            "%5s %5s %-6s %7s %7s %7s %9s %8s %8s %8s %8s %8s %9s %8s",
            "K",
            "beam",
            "per",
            "recall",
            "models",
            "msgs",
            "bytes",
            "visited",
            "compared",
            "attempts",
            "mean s",
            "p95 s",
            "flooding",
            "probing"));
    for (SearchResult s : searches) {
      line(
          out,
          String.format(
              Locale.ROOT,
              "%5d %5d %-6s %7.3f %7s %7.0f %9.0f %8.1f %7.1f%% %8.2f %8.3f %8.3f %9.3f %8.3f",
              s.wanted(),
              s.beam(),
              s.reading(),
              s.recall(),
              s.recallModels().map(each -> String.format(Locale.ROOT, "%.3f", each)).orElse("-"),
              s.messagesPerQuery(),
              s.bytesPerQuery(),
              s.superPeersVisited(),
              100 * s.shareCompared(),
              s.attempts(),
              s.secondsMean(),
              s.seconds95(),
              s.recallFlooding(),
              s.recallProbing()));
    }
    out.append(
        "recall, models: share of the most similar peers found, by signature and by whole model\n");
    out.append("flooding, probing: recall without an overlay with as many messages\n");
  }

  private static void line(StringBuilder out, String text) {
    out.append(text).append('\n');
  }
}
