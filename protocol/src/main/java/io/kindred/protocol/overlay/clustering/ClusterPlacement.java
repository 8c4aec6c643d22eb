package io.kindred.protocol.overlay.clustering;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterDescriptorBuilder;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.Replicas;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.OverlayMessage.ClusterReport;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.ZoneState.MemberEntry;
import io.kindred.protocol.signature.Prototypes;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Updates a zone's clusters when members or child zones join, change or leave. Pure functions. */
public final class ClusterPlacement {
  private ClusterPlacement() {}

  public static ClusterEntry withMember(ClusterEntry cluster, PeerId peer) {
    return new ClusterEntry(
        cluster.descriptor(), Copies.with(cluster.members(), peer), cluster.children());
  }

  private static ClusterEntry withoutMember(ClusterEntry cluster, MemberEntry member) {
    return new ClusterEntry(
        cluster.descriptor(),
        Copies.without(cluster.members(), member.peer()),
        cluster.children().stream()
            .filter(each -> !member.childZone().equals(Optional.of(each.zone())))
            .toList());
  }

  /** Removes a member together with the clusters of its child zone. */
  public static ZoneState withoutMember(ZoneState zone, MemberEntry member) {
    ZoneState after = zone.without(member.peer());
    for (ClusterEntry cluster : after.clusters()) {
      after = after.with(withoutMember(cluster, member));
    }
    return after.withRootClusters(
        after.rootClusters().stream()
            .filter(each -> !member.childZone().equals(Optional.of(each.zone())))
            .toList());
  }

  /**
   * Replaces reported clusters by the known descriptors that are nearly the same: one peer more or
   * less in a cluster concerns its own zone and not every level above.
   */
  public static ClusterReport suppressMinorChanges(ZoneState zone, ClusterReport given) {
    List<ClusterDescriptor> known = new ArrayList<>(zone.rootClusters());
    zone.clusters().forEach(cluster -> known.addAll(cluster.children()));
    return given.with(
        given.clusters().stream()
            .map(each -> known.stream().filter(each::isApproximately).findFirst().orElse(each))
            .toList());
  }

  /** The root clusters, where those of the reporting child zone are replaced by its report. */
  public static List<ClusterDescriptor> replaceRootClusters(
      List<ClusterDescriptor> before, ClusterReport given) {
    List<ClusterDescriptor> fresh = new ArrayList<>(given.clusters());
    List<ClusterDescriptor> now = new ArrayList<>();
    for (ClusterDescriptor each : before) {
      Optional<ClusterDescriptor> next =
          fresh.stream().filter(other -> other.id().equals(each.id())).findFirst();
      next.ifPresent(fresh::remove);
      if (next.isPresent() || !each.zone().equals(given.childZone())) {
        now.add(next.orElse(each));
      }
    }
    now.addAll(fresh);
    return now;
  }

  /**
   * Replaces the clusters of the reporting child zone. A child cluster that is new or has drifted
   * joins the cluster with the most similar prototype and a free slot, or starts a cluster of its
   * own. A cluster takes the prototype of its children only once it has drifted from them.
   */
  public static List<ClusterEntry> placeClusters(
      ZoneState zone, ClusterReport given, OverlaySettings settings) {
    List<ClusterEntry> now = new ArrayList<>();
    List<ClusterDescriptor> fresh = new ArrayList<>(given.clusters());
    for (ClusterEntry cluster : zone.clusters()) {
      List<ClusterDescriptor> children = new ArrayList<>();
      for (ClusterDescriptor child : cluster.children()) {
        if (!child.zone().equals(given.childZone())) {
          children.add(child);
          continue;
        }
        given.clusters().stream()
            .filter(each -> each.id().equals(child.id()) && !hasDrifted(child, each, settings))
            .forEach(
                each -> {
                  children.add(each);
                  fresh.remove(each);
                });
      }
      now.add(new ClusterEntry(cluster.descriptor(), List.of(), List.copyOf(children)));
    }
    for (ClusterDescriptor each : fresh) {
      int best = mostSimilar(now, each, settings.fanOut());
      if (best < 0) {
        int number =
            zone.clusters().stream().mapToInt(h -> h.descriptor().index()).max().orElse(-1);
        now.add(
            new ClusterEntry(
                ClusterDescriptorBuilder.from(each)
                    .index(number + 1 + now.size())
                    .zone(zone.zone())
                    .build(),
                List.of(),
                List.of(each)));
      } else {
        ClusterEntry entry = now.get(best);
        now.set(
            best,
            new ClusterEntry(entry.descriptor(), List.of(), Copies.with(entry.children(), each)));
      }
    }
    now.removeIf(ClusterEntry::isEmpty);
    now.replaceAll(entry -> withUpdatedPrototype(entry, settings));
    return now;
  }

  private static boolean hasDrifted(
      ClusterDescriptor before, ClusterDescriptor now, OverlaySettings settings) {
    return before.prototype().dimension() == now.prototype().dimension()
        && settings.maintenance().isDrift(before.prototype().cosine(now.prototype()));
  }

  private static ClusterEntry withUpdatedPrototype(
      ClusterEntry clusterEntry, OverlaySettings settings) {
    ClusterDescriptor cluster = clusterEntry.descriptor();
    List<Signature> prototypes =
        clusterEntry.children().stream().map(ClusterDescriptor::prototype).toList();
    if (prototypes.stream().anyMatch(each -> each.dimension() != cluster.prototype().dimension())) {
      return clusterEntry;
    }
    ClusterDescriptor now =
        ClusterDescriptorBuilder.from(cluster)
            .prototype(Prototypes.of(prototypes, cluster.prototype().size()))
            .build();
    return hasDrifted(cluster, now, settings)
        ? new ClusterEntry(now, clusterEntry.members(), clusterEntry.children())
        : clusterEntry;
  }

  private static int mostSimilar(List<ClusterEntry> clusters, ClusterDescriptor child, int fanOut) {
    int best = -1;
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < clusters.size(); i++) {
      ClusterDescriptor cluster = clusters.get(i).descriptor();
      if (clusters.get(i).children().size() < fanOut
          && cluster.prototype().dimension() == child.prototype().dimension()) {
        double similarity = cluster.prototype().cosine(child.prototype());
        if (similarity > most) {
          most = similarity;
          best = i;
        }
      }
    }
    return best;
  }

  /** Refills the replica sets and updates sizes and exemplars. */
  public static ZoneState repairReplicas(ZoneState zone, int replicas) {
    List<Replicas.Candidate> all = new ArrayList<>();
    zone.clusters().forEach(clusterEntry -> all.addAll(replicaCandidates(zone, clusterEntry)));
    List<ClusterEntry> now = new ArrayList<>();
    for (ClusterEntry entry : zone.clusters()) {
      List<PeerId> chosen =
          Replicas.refill(
              entry.descriptor().replicas(),
              replicaCandidates(zone, entry),
              List.copyOf(all),
              replicas);
      // One of the two is empty: a cluster contains either peers or child clusters.
      int size = Math.max(entry.members().size(), ClusterDescriptor.totalSize(entry.children()));
      ClusterDescriptor cluster = entry.descriptor();
      ClusterId id = cluster.id();
      boolean stays = zone.level() > 1 || entry.members().contains(cluster.exemplar());
      now.add(
          new ClusterEntry(
              new ClusterDescriptor(
                  id.index(),
                  stays ? cluster.exemplar() : entry.members().getFirst(),
                  cluster.prototype(),
                  chosen,
                  size,
                  id.zone()),
              entry.members(),
              entry.children()));
    }
    return zone.with(now);
  }

  private static List<Replicas.Candidate> replicaCandidates(ZoneState zone, ClusterEntry cluster) {
    List<Replicas.Candidate> found = new ArrayList<>();
    for (PeerId member : cluster.members()) {
      MemberEntry memberEntry = zone.members().get(member);
      found.add(new Replicas.Candidate(member, memberEntry == null ? 0 : memberEntry.capacity()));
    }
    // Descriptors contain no capacity: the first replica of a child is preferred to the second.
    for (ClusterDescriptor child : cluster.children()) {
      for (int i = 0; i < child.replicas().size(); i++) {
        found.add(new Replicas.Candidate(child.replicas().get(i), -i));
      }
    }
    return found;
  }
}
