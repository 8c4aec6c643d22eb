package io.kindred.lab.overlay;

import io.kindred.core.PeerId;
import io.kindred.lab.plot.Icicle;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.overlay.Seat;
import java.util.ArrayList;
import java.util.List;

/** Draws the hierarchy: top clusters above, peers below. */
public final class Picture {
  /** More peers than this are too narrow to be drawn one by one. */
  private static final int MOST_PEERS = 1000;

  private static final double WIDTH = 1100;

  private Picture() {}

  public static String of(Structure structure, int peers) {
    List<Icicle.Block> top = new ArrayList<>();
    structure.roots().forEach(root -> top.add(block(structure, root, peers)));
    return new Icicle(
            "Overlay of " + peers + " peers: clusters of clusters, from the top down",
            peers <= MOST_PEERS
                ? "blocks are as wide as they have peers; the last row is the peers"
                : "blocks are as wide as they have peers",
            rows(structure.depth(), peers),
            top,
            WIDTH)
        .svg();
  }

  private static List<String> rows(int depth, int peers) {
    List<String> rows = new ArrayList<>();
    for (int level = depth; level > 0; level--) {
      rows.add("level " + level);
    }
    if (peers <= MOST_PEERS) {
      rows.add("peers");
    }
    return rows;
  }

  private static Icicle.Block block(Structure structure, Seat seat, int peers) {
    List<Icicle.Block> below = new ArrayList<>();
    for (ClusterDescriptor child : seat.children()) {
      Seat held = structure.clusters().get(child.id());
      if (held != null) {
        below.add(block(structure, held, peers));
      }
    }
    if (peers <= MOST_PEERS) {
      seat.members().forEach(member -> below.add(peer(member)));
    }
    ClusterDescriptor cluster = seat.cluster();
    String label =
        "level %d, cluster %d of the zone of %s: %d peers, held by %s"
            .formatted(
                cluster.id().level(),
                cluster.cluster(),
                name(cluster.zone().initiator()),
                cluster.size(),
                String.join(", ", cluster.replicas().stream().map(Picture::name).toList()));
    return new Icicle.Block(Integer.toString(cluster.size()), label, cluster.size(), below);
  }

  private static Icicle.Block peer(PeerId member) {
    return new Icicle.Block(Long.toString(member.number()), name(member), 1, List.of());
  }

  private static String name(PeerId peer) {
    return peer.toString();
  }
}
