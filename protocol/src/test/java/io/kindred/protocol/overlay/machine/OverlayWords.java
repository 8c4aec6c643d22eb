package io.kindred.protocol.overlay.machine;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.ZoneMember;
import java.util.List;
import java.util.stream.Collectors;

/** Overlay messages in words, for transcripts; keep-alive messages have none. */
final class OverlayWords {
  private OverlayWords() {}

  static String of(Message message) {
    String details =
        switch (message) {
          case MembershipMessage.Heartbeat _,
              MembershipMessage.FindOverlay _,
              MembershipMessage.LeaseRenewal _,
              MembershipMessage.RootGossip _ ->
              null;
          case OverlayMessage.ZoneJoinReply each -> each.accepted() ? "accepts" : "refuses";
          case OverlayMessage.ZoneSplit each ->
              peers(each.members().stream().map(ZoneMember::peer).toList());
          case OverlayMessage.ZoneChanged each -> "to " + zone(each.to().zone());
          case OverlayMessage.ZoneMerged each -> "into " + zone(each.to().zone());
          case OverlayMessage.FormationMessage each -> "on level " + each.level();
          case OverlayMessage.ReplicaAssigned each ->
              cluster(each.descriptor().id())
                  + " of "
                  + (each.members().isEmpty()
                      ? each.children().stream()
                          .map(child -> cluster(child.id()))
                          .collect(Collectors.joining(", "))
                      : peers(each.members()))
                  + " held by "
                  + peers(each.descriptor().replicas());
          case OverlayMessage.HomeClusterAssigned each -> cluster(each.cluster());
          case OverlayMessage.ParentAssigned each ->
              cluster(each.child()) + " under " + cluster(each.parent());
          case OverlayMessage.ClusterReport each ->
              each.clusters().size() + " clusters of " + zone(each.childZone());
          case OverlayMessage.RootClusters each -> each.clusters().size() + " roots";
          case MembershipMessage.ReplicateZone each -> zone(each.zone());
          case MembershipMessage.TransferLeadership each -> zone(each.state().zone());
          case MembershipMessage.Leave each -> zone(each.zone());
          case MembershipMessage.NotLeader each ->
              zone(each.zone())
                  + each.leader()
                      .map(peer -> " is led by " + peer.number())
                      .orElse(" is not yours");
          case MembershipMessage.ReplicaRemoved each -> cluster(each.cluster());
          case MembershipMessage.JoinRequest each ->
              "of " + each.joiner().peer().number() + " at " + cluster(each.cluster());
          case MembershipMessage.JoinForward each ->
              "of " + each.joiner().peer().number() + " to " + cluster(each.cluster());
          case MembershipMessage.ZoneFull each -> zone(each.zone());
          case MembershipMessage.DivideZone each ->
              zone(each.from()) + ", part " + zone(each.part().zone());
          case MembershipMessage.MemberMoved each -> "to " + cluster(each.home().cluster());
          case SearchMessage.QueryAscent each -> "to " + cluster(each.cluster());
          case SearchMessage.QueryDescent each ->
              "to " + cluster(each.cluster()) + ", attempt " + (each.attempt() + 1);
          case SearchMessage.ChildScores each -> each.children().size() + " clusters";
          case SearchMessage.SubtreeResult each -> each.candidates().size() + " candidates";
          case SearchMessage.SearchReply each -> each.candidates().size() + " candidates";
          default -> "";
        };
    return details == null ? "" : (OverlayNetwork.name(message) + " " + details).strip();
  }

  static String zone(ZoneId zone) {
    String epoch = zone.epoch() == 1 ? "" : " of epoch " + zone.epoch();
    return "zone " + zone.level() + "." + zone.initiator().number() + epoch;
  }

  static String cluster(ClusterId cluster) {
    return "cluster "
        + cluster.level()
        + "."
        + cluster.zone().initiator().number()
        + "."
        + cluster.index();
  }

  static String peers(List<PeerId> peers) {
    return peers.stream()
        .map(peer -> String.valueOf(peer.number()))
        .collect(Collectors.joining(" "));
  }
}
