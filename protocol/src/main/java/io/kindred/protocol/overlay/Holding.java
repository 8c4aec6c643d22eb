package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.Replicas;
import io.kindred.protocol.overlay.OverlayMessage.Contribution;
import io.kindred.protocol.overlay.Ward.Held;
import io.kindred.protocol.overlay.Ward.Tenant;
import io.kindred.protocol.signatures.Prototypes;
import io.kindred.protocol.signatures.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What becomes of a zone's clusters when somebody comes or goes: values in, values out. */
final class Holding {
  private Holding() {}

  static Held with(Held held, PeerId peer) {
    return new Held(held.cluster(), Rows.with(held.members(), peer), held.children());
  }

  private static Held without(Held held, Tenant tenant) {
    return new Held(
        held.cluster(),
        Rows.without(held.members(), tenant.peer()),
        held.children().stream()
            .filter(each -> !tenant.below().equals(Optional.of(each.zone())))
            .toList());
  }

  /** The zone without one of its tenants and what was below that one. */
  static Ward without(Ward ward, Tenant tenant) {
    Ward after = ward.without(tenant.peer());
    for (Held held : after.clusters()) {
      after = after.with(without(held, tenant));
    }
    return after.atTop(
        after.below().stream()
            .filter(each -> !tenant.below().equals(Optional.of(each.zone())))
            .toList());
  }

  /**
   * What a zone below contributes, with what is known of it where that is nearly the same: one peer
   * more or less in a cluster concerns its zone and not all those above it.
   */
  static Contribution news(Ward ward, Contribution given) {
    List<ClusterDescriptor> known = new ArrayList<>(ward.below());
    ward.clusters().forEach(held -> known.addAll(held.children()));
    return given.with(
        given.clusters().stream()
            .map(each -> known.stream().filter(each::isNearly).findFirst().orElse(each))
            .toList());
  }

  /** The top clusters, those of a zone below in place of what they were. */
  static List<ClusterDescriptor> replaced(List<ClusterDescriptor> before, Contribution given) {
    List<ClusterDescriptor> fresh = new ArrayList<>(given.clusters());
    List<ClusterDescriptor> now = new ArrayList<>();
    for (ClusterDescriptor each : before) {
      Optional<ClusterDescriptor> next =
          fresh.stream().filter(other -> other.id().equals(each.id())).findFirst();
      next.ifPresent(fresh::remove);
      if (next.isPresent() || !each.zone().equals(given.of())) {
        now.add(next.orElse(each));
      }
    }
    now.addAll(fresh);
    return now;
  }

  /**
   * The clusters of a zone below in place of those that it had. One that is new or has turned joins
   * the cluster with the most similar prototype that has room, or becomes one of its own; and
   * prototypes of clusters follow those of their children once these have left them behind.
   */
  static List<Held> place(Ward ward, Contribution given, OverlaySettings settings) {
    List<Held> now = new ArrayList<>();
    List<ClusterDescriptor> fresh = new ArrayList<>(given.clusters());
    for (Held held : ward.clusters()) {
      List<ClusterDescriptor> children = new ArrayList<>();
      for (ClusterDescriptor child : held.children()) {
        if (!child.zone().equals(given.of())) {
          children.add(child);
          continue;
        }
        given.clusters().stream()
            .filter(each -> each.id().equals(child.id()) && !turned(child, each, settings))
            .forEach(
                each -> {
                  children.add(each);
                  fresh.remove(each);
                });
      }
      now.add(new Held(held.cluster(), List.of(), List.copyOf(children)));
    }
    for (ClusterDescriptor each : fresh) {
      int best = mostSimilar(now, each, settings.fanOut());
      if (best < 0) {
        int number = ward.clusters().stream().mapToInt(h -> h.cluster().cluster()).max().orElse(-1);
        now.add(
            new Held(
                new ClusterDescriptor(
                    number + 1 + now.size(),
                    each.exemplar(),
                    each.prototype(),
                    each.replicas(),
                    each.size(),
                    ward.zone()),
                List.of(),
                List.of(each)));
      } else {
        Held held = now.get(best);
        now.set(best, new Held(held.cluster(), List.of(), Rows.with(held.children(), each)));
      }
    }
    now.removeIf(Held::isEmpty);
    now.replaceAll(held -> following(held, settings));
    return now;
  }

  private static boolean turned(
      ClusterDescriptor before, ClusterDescriptor now, OverlaySettings settings) {
    return before.prototype().dimension() == now.prototype().dimension()
        && settings.life().isDrift(before.prototype().cosine(now.prototype()));
  }

  private static Held following(Held held, OverlaySettings settings) {
    ClusterDescriptor cluster = held.cluster();
    List<Signature> below = held.children().stream().map(ClusterDescriptor::prototype).toList();
    if (below.stream().anyMatch(each -> each.dimension() != cluster.prototype().dimension())) {
      return held;
    }
    ClusterDescriptor now =
        new ClusterDescriptor(
            cluster.cluster(),
            cluster.exemplar(),
            Prototypes.of(below, cluster.prototype().size()),
            cluster.replicas(),
            cluster.size(),
            cluster.zone());
    return turned(cluster, now, settings) ? new Held(now, held.members(), held.children()) : held;
  }

  private static int mostSimilar(List<Held> clusters, ClusterDescriptor child, int fanOut) {
    int best = -1;
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < clusters.size(); i++) {
      ClusterDescriptor cluster = clusters.get(i).cluster();
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

  /** Replica sets filled up again, sizes and exemplars as they are now. */
  static Ward repaired(Ward ward, int replicas) {
    List<Replicas.Candidate> all = new ArrayList<>();
    ward.clusters().forEach(held -> all.addAll(candidates(ward, held)));
    List<Held> now = new ArrayList<>();
    for (Held held : ward.clusters()) {
      List<PeerId> chosen =
          Replicas.keep(
              held.cluster().replicas(), candidates(ward, held), List.copyOf(all), replicas);
      // One of both is empty: a cluster has peers or clusters in it.
      int size = Math.max(held.members().size(), ClusterDescriptor.sizeOf(held.children()));
      ClusterDescriptor cluster = held.cluster();
      ClusterId id = cluster.id();
      boolean stays = ward.level() > 1 || held.members().contains(cluster.exemplar());
      now.add(
          new Held(
              new ClusterDescriptor(
                  id.cluster(),
                  stays ? cluster.exemplar() : held.members().getFirst(),
                  cluster.prototype(),
                  chosen,
                  size,
                  id.zone()),
              held.members(),
              held.children()));
    }
    return ward.with(now);
  }

  private static List<Replicas.Candidate> candidates(Ward ward, Held held) {
    List<Replicas.Candidate> found = new ArrayList<>();
    for (PeerId member : held.members()) {
      Tenant tenant = ward.tenants().get(member);
      found.add(new Replicas.Candidate(member, tenant == null ? 0 : tenant.capacity()));
    }
    // Who holds a cluster first is preferred to who holds it second.
    for (ClusterDescriptor child : held.children()) {
      for (int i = 0; i < child.replicas().size(); i++) {
        found.add(new Replicas.Candidate(child.replicas().get(i), -i));
      }
    }
    return found;
  }
}
