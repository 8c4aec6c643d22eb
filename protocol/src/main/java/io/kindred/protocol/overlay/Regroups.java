package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.work.Ticket;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterSignatures;
import io.kindred.protocol.clusters.Clustering;
import io.kindred.protocol.overlay.LifeMessage.Drifted;
import io.kindred.protocol.overlay.OverlayMessage.SignatureProbe;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.Ward.Held;
import io.kindred.protocol.signatures.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What becomes of clusters when models turn. A peer whose signature is no longer like the one that
 * it was placed with says so; the leader of its zone asks all of the zone for theirs and clusters
 * them again. Zones above hear of it only as of any other change, and other zones do not.
 */
final class Regroups {
  /** In place of a level: what was computed is not for an overlay that is being built. */
  static final int TICKET = 0;

  private final Turn turn;

  Regroups(Turn turn) {
    this.turn = turn;
  }

  /** A new model. */
  void signed() {
    Optional<Signature> given = turn.own.given();
    Optional<Signature> now = turn.own.signature();
    if (!turn.settings.life().lives()
        || given.isEmpty()
        || now.isEmpty()
        || given.get().dimension() != now.get().dimension()
        || !turn.settings.life().isDrift(given.get().cosine(now.get()))
        || !turn.knows(turn.newest())) {
      return;
    }
    turn.enter(turn.newest());
    Tenancy home = turn.watch().tenancies().get(1);
    if (home != null && turn.era().settled()) {
      turn.count("overlay-drifted");
      turn.send(home.leader(), new Drifted(home.zone()));
    }
  }

  void drifted(Drifted drifted) {
    Ward ward = turn.watch().wards().get(1);
    if (ward != null
        && ward.zone().equals(drifted.zone())
        && turn.watch().regroup().isEmpty()
        && ward.tenants().size() > 1) {
      turn.regroup(Optional.of(Regroup.noticed(turn.tick)));
    }
  }

  /**
   * At every beat of who leads the zone. Whoever does not answer for a lease is left where it is.
   */
  void lookAfter(Ward ward) {
    Optional<Regroup> regroup = turn.watch().regroup();
    if (regroup.isEmpty()
        || turn.tick - regroup.get().since() < turn.settings.life().leaseTicks()) {
      return;
    }
    switch (regroup.get().stage()) {
      case NOTICED -> {
        turn.regroup(Optional.of(regroup.get().at(Regroup.Stage.ASKED, turn.tick)));
        for (PeerId tenant : ward.tenants().keySet()) {
          turn.send(tenant, new SignatureProbe(ward.zone()));
        }
      }
      case ASKED -> cluster(regroup.get());
      case CLUSTERING -> {
        // The result will come.
      }
    }
  }

  /** Whether it was asked for to cluster a zone again. */
  boolean replied(PeerId from, SignatureReply reply) {
    Ward ward = turn.watch().wards().get(1);
    Optional<Regroup> regroup = turn.watch().regroup();
    if (ward == null
        || regroup.isEmpty()
        || regroup.get().stage() != Regroup.Stage.ASKED
        || !ward.zone().equals(reply.zone())) {
      return false;
    }
    boolean comparable =
        ward.descriptors().stream()
            .allMatch(each -> each.prototype().dimension() == reply.signature().dimension());
    if (!comparable || !turn.isComparable(reply.signature())) {
      turn.count(Clusters.OTHER_MODEL);
    } else {
      Regroup fuller = regroup.get().with(from, reply.signature());
      turn.regroup(Optional.of(fuller));
      if (fuller.signatures().keySet().containsAll(ward.tenants().keySet())) {
        cluster(fuller);
      }
    }
    return true;
  }

  private void cluster(Regroup regroup) {
    if (regroup.signatures().isEmpty()) {
      turn.regroup(Optional.empty());
      return;
    }
    turn.regroup(Optional.of(regroup.at(Regroup.Stage.CLUSTERING, turn.tick)));
    List<Signature> signatures = List.copyOf(regroup.signatures().values());
    int entries = signatures.stream().mapToInt(Signature::size).max().orElse(0);
    turn.compute(
        TICKET,
        new Ticket.Call(
            new ClusterSignatures(
                signatures, entries, ClusterSignatures.ANY_SIZE, turn.settings.clusters())));
  }

  void regrouped(ClusterSignatures.Clustered clustered) {
    Ward ward = turn.watch().wards().get(1);
    Optional<Regroup> regroup = turn.watch().regroup();
    if (ward == null || regroup.isEmpty() || regroup.get().stage() != Regroup.Stage.CLUSTERING) {
      turn.count("overlay-clustered-in-vain");
      return;
    }
    turn.regroup(Optional.empty());
    turn.count("overlay-regrouped");
    List<Held> now = found(ward, List.copyOf(regroup.get().signatures().keySet()), clustered);
    if (!now.isEmpty()) {
      new Wards(turn).change(ward, ward.with(now));
    }
  }

  /**
   * The clusters that were found, each under the number of the one that most of its peers come
   * from: whoever held it and still belongs to it goes on holding it.
   */
  private static List<Held> found(
      Ward ward, List<PeerId> peers, ClusterSignatures.Clustered clustered) {
    Clustering clustering = clustered.clustering();
    List<Held> before = new ArrayList<>(ward.clusters());
    int next = 1 + before.stream().mapToInt(each -> each.cluster().cluster()).max().orElse(-1);
    Set<PeerId> placed = new TreeSet<>();
    List<Held> now = new ArrayList<>();
    for (int i = 0; i < clustering.count(); i++) {
      List<PeerId> members =
          clustering.members(i).stream()
              .map(peers::get)
              .filter(peer -> ward.tenants().containsKey(peer))
              .toList();
      if (members.isEmpty()) {
        continue;
      }
      placed.addAll(members);
      PeerId exemplar = peers.get(clustering.exemplars().get(i));
      PeerId first = members.contains(exemplar) ? exemplar : members.getFirst();
      Optional<Held> same =
          before.stream()
              .filter(each -> common(each, members) > 0)
              .max(Comparator.comparingLong(each -> common(each, members)));
      same.ifPresent(before::remove);
      List<PeerId> holders =
          same.map(each -> each.cluster().replicas().stream().filter(members::contains).toList())
              .filter(each -> !each.isEmpty())
              .orElse(List.of(first));
      int number = same.map(each -> each.cluster().cluster()).orElse(next);
      next = same.isPresent() ? next : next + 1;
      now.add(
          new Held(
              new ClusterDescriptor(
                  number,
                  first,
                  clustered.prototypes().get(i),
                  holders,
                  members.size(),
                  ward.zone()),
              members,
              List.of()));
    }
    return stayed(ward, placed, now);
  }

  private static long common(Held held, List<PeerId> members) {
    return members.stream().filter(held.members()::contains).count();
  }

  /** Who did not answer stays in the cluster that it was in, or is put into the first. */
  private static List<Held> stayed(Ward ward, Set<PeerId> placed, List<Held> found) {
    List<Held> now = new ArrayList<>(found);
    for (PeerId peer : ward.tenants().keySet()) {
      if (now.isEmpty() || placed.contains(peer)) {
        continue;
      }
      int home = 0;
      for (int i = 0; i < now.size(); i++) {
        if (ward.home(peer).map(Held::id).filter(now.get(i).id()::equals).isPresent()) {
          home = i;
        }
      }
      now.set(home, Holding.with(now.get(home), peer));
    }
    return now;
  }
}
