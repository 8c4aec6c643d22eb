package io.kindred.report.run;

import io.kindred.report.plot.IcicleChart;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The overlay's hierarchy at the end of a run: clusters of clusters, with peers at the bottom. */
public record OverlayTree(List<Cluster> top) {
  /** With more peers than this, single peers are too narrow to be drawn. */
  private static final int MOST_PEERS = 1000;

  /**
   * A cluster; clusters of the lowest level have members, the others have child clusters.
   *
   * @param zone the number of the peer that initiated the cluster's zone
   * @param peers how many peers the cluster has, over all levels below
   * @param heldBy the cluster's super-peers, the primary replica first
   */
  public record Cluster(
      int level,
      long zone,
      int cluster,
      int peers,
      List<Long> heldBy,
      List<Cluster> below,
      List<Long> members) {
    public Cluster {
      heldBy = List.copyOf(heldBy);
      below = List.copyOf(below);
      members = List.copyOf(members);
    }

    private static Cluster of(JsonNode node) {
      return new Cluster(
          node.path("level").asInt(),
          node.path("zone").asLong(),
          node.path("cluster").asInt(),
          node.path("peers").asInt(),
          numbers(node.path("heldBy")),
          node.path("below").valueStream().map(Cluster::of).toList(),
          numbers(node.path("members")));
    }

    private static List<Long> numbers(JsonNode list) {
      return list.valueStream().map(JsonNode::asLong).toList();
    }
  }

  public OverlayTree {
    top = List.copyOf(top);
  }

  static OverlayTree of(JsonNode document) {
    return new OverlayTree(document.path("top").valueStream().map(Cluster::of).toList());
  }

  /** Draws the top clusters above and the peers below. */
  public String svg(String title, double width) {
    int peers = top.stream().mapToInt(Cluster::peers).sum();
    boolean each = peers <= MOST_PEERS;
    List<String> rows = new ArrayList<>();
    for (int level = top.stream().mapToInt(Cluster::level).max().orElse(0); level > 0; level--) {
      rows.add("level " + level);
    }
    if (each) {
      rows.add("peers");
    }
    return new IcicleChart(
            title,
            each
                ? "the width of a block is its number of peers; the last row shows the peers"
                : "the width of a block is its number of peers",
            rows,
            top.stream().map(cluster -> block(cluster, each)).toList(),
            width)
        .svg();
  }

  private static IcicleChart.Block block(Cluster cluster, boolean each) {
    List<IcicleChart.Block> below = new ArrayList<>();
    cluster.below().forEach(child -> below.add(block(child, each)));
    if (each) {
      cluster.members().forEach(member -> below.add(peer(member)));
    }
    String label =
        "level %d, cluster %d of the zone of peer %d: %d peers, held by %s"
            .formatted(
                cluster.level(),
                cluster.cluster(),
                cluster.zone(),
                cluster.peers(),
                cluster.heldBy().stream()
                    .map(holder -> "peer " + holder)
                    .collect(Collectors.joining(", ")));
    return new IcicleChart.Block(Integer.toString(cluster.peers()), label, cluster.peers(), below);
  }

  private static IcicleChart.Block peer(long member) {
    return new IcicleChart.Block(Long.toString(member), "peer " + member, 1, List.of());
  }
}
