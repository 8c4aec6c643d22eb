package io.kindred.protocol.overlay.machine;

import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.OverlaySettings.RootDissemination;
import io.kindred.protocol.overlay.OverlaySettingsBuilder;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.SearchRule.BeamScope;
import io.kindred.protocol.overlay.ThresholdRule;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.SignatureRule;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Small networks in which one thing happens, each with a transcript of it. */
public final class OverlayScenarios {
  private static final double LEASE = 0.5;
  private static final SearchRule WIDE = new SearchRule(8, BeamScope.NODE, 0);

  private OverlayScenarios() {}

  private static OverlaySettings settings(int zoneSize, RootDissemination roots) {
    return new OverlaySettings(
        1,
        zoneSize,
        4,
        2,
        8,
        0.05,
        roots,
        ThresholdRule.DEFAULT,
        AffinityRule.DEFAULT,
        new SignatureRule(
            SignatureRule.Subject.DELTA, 0, 5, 0.8, 0, 0.05, 1, 0.9, 0.5, Precision.FLOAT32),
        MaintenanceSettings.DISABLED.withLease(LEASE));
  }

  private static OverlayNetwork network(int zoneSize) {
    return new OverlayNetwork(settings(zoneSize, RootDissemination.TREE));
  }

  /** Peers from 0, each linked to all others; two groups of models. */
  private static OverlayNetwork complete(OverlayNetwork network, int peers) {
    for (int peer = 0; peer < peers; peer++) {
      int[] others = new int[peer];
      for (int other = 0; other < peer; other++) {
        others[other] = other;
      }
      network.add(peer, peer % 2, others);
    }
    return network;
  }

  /** One zone of six peers in two clusters, led by peer 0. */
  private static OverlayNetwork oneZone() {
    return complete(network(8), 6).start().run(3);
  }

  /** Two zones of three peers, led by 0 and 1, below a root zone; peers 2 and 3 link them. */
  private static OverlayNetwork twoZones(OverlayNetwork network) {
    return network.add(0, 0).add(2, 0, 0).add(4, 1, 0, 2).add(1, 1).add(3, 1, 1, 2).add(5, 0, 1, 3);
  }

  private static OverlayNetwork twoBuiltZones() {
    return twoZones(network(4)).start().run(4);
  }

  private static List<String> whole(OverlayNetwork network) {
    return network.writePlaces().transcript();
  }

  /** All scenarios by name. */
  public static SortedMap<String, Supplier<List<String>>> all() {
    SortedMap<String, Supplier<List<String>>> all = new TreeMap<>();
    all.put("build-one-zone", OverlayScenarios::buildOneZone);
    all.put("build-two-zones", OverlayScenarios::buildTwoZones);
    all.put("build-mesh-of-roots", OverlayScenarios::buildMesh);
    all.put("split-while-forming", OverlayScenarios::splitWhileForming);
    all.put("merge-of-a-lone-peer", OverlayScenarios::merge);
    all.put("join-while-forming", OverlayScenarios::joinWhileForming);
    all.put("build-with-late-placements", OverlayScenarios::overtaken);
    all.put("build-without-a-signature", OverlayScenarios::lostSignature);
    all.put("query", () -> query(WIDE, "a query, with a beam per super-peer"));
    all.put(
        "query-by-level",
        () -> query(new SearchRule(2, BeamScope.LEVEL, 0), "a query, with a beam per level"));
    all.put(
        "query-best-first",
        () -> query(new SearchRule(1, BeamScope.BEST, 0), "a query, best clusters first"));
    all.put(
        "query-with-few-visits",
        () -> query(new SearchRule(8, BeamScope.NODE, 3), "a query that may visit three"));
    all.put("query-with-a-late-answer", OverlayScenarios::lateAnswer);
    all.put("query-whose-reply-is-lost", OverlayScenarios::lostReply);
    all.put("query-while-a-replica-is-down", OverlayScenarios::replicaDown);
    all.put("member-crash", OverlayScenarios::memberCrash);
    all.put("leader-crash", OverlayScenarios::leaderCrash);
    all.put("leader-and-deputy-crash", OverlayScenarios::leaderAndDeputyCrash);
    all.put("replica-crash", OverlayScenarios::replicaCrash);
    all.put("restart", OverlayScenarios::restart);
    all.put("join", OverlayScenarios::join);
    all.put("join-past-a-full-zone", OverlayScenarios::joinPastFullZone);
    all.put("join-when-all-zones-are-full", OverlayScenarios::joinDividesZone);
    all.put("leave-of-a-member", () -> leave(4));
    all.put("leave-of-a-leader", () -> leave(0));
    all.put("drift", OverlayScenarios::drift);
    all.put("lost-placement", OverlayScenarios::lostPlacement);
    all.put("two-leaders", OverlayScenarios::twoLeaders);
    all.put("slow-leader", OverlayScenarios::slowLeader);
    all.put("two-takeovers-in-one-term", OverlayScenarios::twoTakeovers);
    all.put("forgotten-replica", OverlayScenarios::forgottenReplica);
    all.put("split-and-merge-of-the-network", OverlayScenarios::networkSplit);
    all.put("next-epoch", OverlayScenarios::nextEpoch);
    return all;
  }

  private static List<String> buildOneZone() {
    return whole(
        complete(network(8), 4).write("four peers, all neighbours, form one zone").start().run(2));
  }

  private static List<String> buildTwoZones() {
    return whole(
        twoZones(network(4)).write("two zones of three peers below a root zone").start().run(3));
  }

  private static List<String> buildMesh() {
    return whole(
        complete(new OverlayNetwork(settings(8, RootDissemination.MESH)), 4)
            .write("roots exchange their descriptors")
            .start()
            .run(2));
  }

  private static List<String> splitWhileForming() {
    return whole(
        complete(network(4), 6).write("six peers are too many for a zone of four").start().run(3));
  }

  private static List<String> merge() {
    return whole(
        network(4)
            .add(0, 0)
            .add(2, 0, 0)
            .add(1, 1, 2)
            .write("no peer joins the zone of peer 1, so it asks the adjacent one for room")
            .start()
            .run(3));
  }

  private static List<String> joinWhileForming() {
    return whole(
        network(4)
            .add(0, 0)
            .add(1, 0, 0)
            .add(2, 1, 1)
            .write("no probe reaches peer 2, so it asks the zone nearby for room")
            .start()
            .run(3));
  }

  private static List<String> overtaken() {
    return whole(
        complete(network(8), 4)
            .write("the roots and the word that all is built arrive before the placements")
            .disturb(
                "placements take 0.1 s longer",
                sent -> sent.message() instanceof ReplicaAssigned ? 0.1 : 0)
            .start()
            .run(3));
  }

  private static List<String> lostSignature() {
    return whole(
        complete(network(8), 4)
            .write("the signature of peer 3 never arrives: the zone is built without it")
            .disturb(
                "signatures of peer 3 are lost",
                sent ->
                    sent.from() == 3 && sent.message() instanceof OverlayMessage.SignatureReply
                        ? -1.0
                        : 0)
            .start()
            .run(6));
  }

  private static List<String> slowLeader() {
    OverlayNetwork network =
        oneZone()
            .write("the leader's messages take so long that a deputy takes over")
            .disturb("messages of peer 0 take 0.8 s longer", sent -> sent.from() == 0 ? 0.8 : 0)
            .run(1.5)
            .disturb("peer 0 is fast again", _ -> 0.0)
            .run(2);
    return whole(network);
  }

  private static List<String> twoTakeovers() {
    OverlaySettings threeReplicas =
        OverlaySettingsBuilder.from(settings(8, RootDissemination.TREE)).replicas(3).build();
    return whole(
        complete(new OverlayNetwork(threeReplicas), 6)
            .start()
            .run(3)
            .write("two deputies take over in one term: the lower id wins with another term")
            .crash(0)
            .disturb(
                "messages from peer 1 to peer 2 take 0.5 s longer",
                sent -> sent.from() == 1 && sent.to() == 2 ? 0.5 : 0)
            .run(3));
  }

  private static List<String> forgottenReplica() {
    return whole(
        oneZone()
            .write("a peer that is never told that it lost a replica drops it by itself")
            .disturb(
                "removals are lost",
                sent -> sent.message() instanceof MembershipMessage.ReplicaRemoved ? -1.0 : 0)
            .learn(2, OverlayNetwork.model(2, 1))
            .learn(4, OverlayNetwork.model(4, 1))
            .run(27));
  }

  private static List<String> query(SearchRule rule, String title) {
    return twoBuiltZones().write(title).search(4, 2, rule).run(2).transcript();
  }

  private static List<String> lateAnswer() {
    return oneZone()
        .write("peer 4 compares itself late, and the retry gets its comparison")
        .disturb(
            "comparisons of peer 4 take 0.5 s longer",
            sent ->
                sent.from() == 4 && sent.message() instanceof SearchMessage.CompareReply ? 0.5 : 0)
        .search(2, 5, WIDE)
        .run(4)
        .transcript();
  }

  private static List<String> lostReply() {
    int[] replies = {0};
    return twoBuiltZones()
        .write("the first reply to peer 4 is lost, and it asks again")
        .disturb(
            "the first search reply is lost",
            sent ->
                sent.message() instanceof SearchMessage.SearchReply && replies[0]++ == 0 ? -1.0 : 0)
        .search(4, 2, WIDE)
        .run(5)
        .transcript();
  }

  private static List<String> replicaDown() {
    OverlayNetwork network = twoBuiltZones();
    return network
        .write("a query meets replicas that are down")
        .crash(1)
        .search(4, 3, WIDE)
        .run(2)
        .transcript();
  }

  private static List<String> memberCrash() {
    return whole(oneZone().write("a member of the zone crashes").crash(5).run(1.5));
  }

  private static List<String> leaderCrash() {
    return whole(oneZone().write("the leader crashes, a deputy takes over").crash(0).run(2));
  }

  private static List<String> leaderAndDeputyCrash() {
    return whole(oneZone().write("the leader and its first deputy crash").crash(0).crash(1).run(8));
  }

  private static List<String> replicaCrash() {
    return whole(
        twoBuiltZones().write("a peer crashes that leads a zone and holds roots").crash(1).run(4));
  }

  private static List<String> restart() {
    return whole(
        oneZone()
            .write("a member crashes and comes back with its old state")
            .crash(5)
            .run(1.5)
            .restart(5)
            .run(2));
  }

  private static List<String> join() {
    OverlayNetwork network = oneZone().write("peer 7 joins");
    return whole(network.add(7, 1, 2, 3).start().run(4));
  }

  private static List<String> joinPastFullZone() {
    OverlayNetwork network =
        network(4)
            .add(0, 0)
            .add(2, 0, 0)
            .add(4, 0, 0, 2)
            .add(6, 0, 0, 2, 4)
            .add(1, 1)
            .add(3, 1, 1, 6)
            .add(5, 1, 1, 3)
            .start()
            .run(4)
            .write("the zone of similar peers is full: peer 7 joins the other one");
    return whole(network.add(7, 0, 2, 3).start().run(4));
  }

  private static List<String> joinDividesZone() {
    OverlayNetwork network = complete(network(4), 4).start().run(3);
    network.write("the only zone is full: it divides to admit peer 7");
    return whole(network.add(7, 1, 2, 3).start().run(6));
  }

  private static List<String> leave(int peer) {
    return whole(oneZone().write("peer " + peer + " leaves").leave(peer).run(1.5));
  }

  private static List<String> drift() {
    return whole(
        oneZone()
            .write("peers 2 and 4 learn other models: the zone is clustered again")
            .learn(2, OverlayNetwork.model(2, 1))
            .learn(4, OverlayNetwork.model(4, 1))
            .run(3));
  }

  private static List<String> lostPlacement() {
    int[] lost = {0};
    return whole(
        oneZone()
            .write("a placement is lost, and the leader publishes the zone again")
            .disturb(
                "the next placement for peer 1 is lost",
                sent ->
                    sent.to() == 1 && sent.message() instanceof ReplicaAssigned && lost[0]++ == 0
                        ? -1.0
                        : 0)
            .crash(5)
            .run(10));
  }

  private static List<String> twoLeaders() {
    return whole(
        oneZone()
            .write("peers 0 to 2 do not reach peers 3 to 5 for a second")
            .cut("the network is cut", (from, to) -> (from < 3) != (to < 3))
            .run(1.2)
            .cut("the network is whole", (_, _) -> false)
            .run(4));
  }

  private static List<String> networkSplit() {
    return whole(
        twoBuiltZones()
            .write("the two zones do not reach each other for a long time")
            .cut("the network is cut", (from, to) -> from % 2 != to % 2)
            .run(12)
            .cut("the network is whole", (_, _) -> false)
            .run(16));
  }

  private static List<String> nextEpoch() {
    OverlaySettings often =
        settings(8, RootDissemination.TREE).with(new MaintenanceSettings(LEASE, 5, 4, 256, 0.2));
    return whole(
        complete(new OverlayNetwork(often), 4)
            .start()
            .run(3.5)
            .write("after four seconds the peers build the overlay of the next epoch")
            .run(2));
  }
}
