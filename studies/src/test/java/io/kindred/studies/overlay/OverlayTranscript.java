package io.kindred.studies.overlay;

import io.kindred.core.config.Catalogue;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A readable transcript of an overlay's messages, without keep-alive messages. A message that is
 * sent to several peers at once is one line.
 */
public final class OverlayTranscript implements StepListener {
  private record TranscriptLine(long tick, int from, String text, List<Integer> to) {}

  private final List<String> lines = new ArrayList<>();
  private TranscriptLine pendingLine = new TranscriptLine(-1, -1, "", List.of());

  /** Begins a section with a title. */
  public void beginSection(String title) {
    flushLine();
    lines.add("");
    lines.add(title);
  }

  public List<String> lines() {
    flushLine();
    return List.copyOf(lines);
  }

  @Override
  public void sent(Transfer transfer, long tick) {
    Message message = transfer.message();
    if (message instanceof MembershipMessage.Heartbeat
        || message instanceof MembershipMessage.LeaseRenewal
        || message instanceof MembershipMessage.RootGossip) {
      return;
    }
    String what = messageName(message) + messageDetails(message);
    if (tick == pendingLine.tick()
        && transfer.from() == pendingLine.from()
        && what.equals(pendingLine.text())) {
      pendingLine.to().add(transfer.to());
      return;
    }
    flushLine();
    pendingLine =
        new TranscriptLine(tick, transfer.from(), what, new ArrayList<>(List.of(transfer.to())));
  }

  @Override
  public void faultOccurred(FaultEvent fault) {
    flushLine();
    String what =
        switch (fault) {
          case FaultEvent.Crash(long _, int peer, boolean _) -> "peer " + peer + " crashes";
          case FaultEvent.Return(long _, int peer) -> "peer " + peer + " is back";
          case FaultEvent.Leave(long _, int peer) -> "peer " + peer + " is asked to leave";
          default -> fault.toString();
        };
    lines.add(String.format(Locale.ROOT, "%8.3f  *** %s", Ticks.toSeconds(fault.tick()), what));
  }

  private void flushLine() {
    if (pendingLine.tick() >= 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%8.3f  %d -> %s: %s",
              Ticks.toSeconds(pendingLine.tick()),
              pendingLine.from(),
              pendingLine.to().stream()
                  .sorted()
                  .map(String::valueOf)
                  .collect(Collectors.joining(" ")),
              pendingLine.text()));
      pendingLine = new TranscriptLine(-1, -1, "", List.of());
    }
  }

  private static String messageName(Message message) {
    return Catalogue.nameOf(message.getClass()).replace("overlay/", "");
  }

  private static String messageDetails(Message message) {
    return switch (message) {
      case OverlayMessage.ScoreOffer offer -> levelText(offer.level());
      case OverlayMessage.FormationMessage formation -> levelText(formation.level());
      case OverlayMessage.ReplicaAssigned each ->
          " "
              + clusterText(each.descriptor().id())
              + " held by "
              + peersText(each.descriptor().replicas());
      case OverlayMessage.HomeClusterAssigned each ->
          " " + clusterText(each.cluster()) + " held by " + peersText(each.replicas());
      case OverlayMessage.ParentAssigned each ->
          " " + clusterText(each.child()) + " under " + clusterText(each.parent());
      case OverlayMessage.ClusterReport each ->
          " " + each.clusters().size() + " clusters of " + zoneText(each.childZone());
      case OverlayMessage.RootClusters each -> " " + each.clusters().size() + " clusters";
      case MembershipMessage.ReplicateZone each -> replicatedZone(each);
      case MembershipMessage.JoinRequest each ->
          " peer " + each.joiner().peer().number() + " at " + clusterText(each.cluster());
      case MembershipMessage.JoinForward each ->
          " peer " + each.joiner().peer().number() + " to " + clusterText(each.cluster());
      case MembershipMessage.Leave each -> " " + zoneText(each.zone());
      case MembershipMessage.ReplicaRemoved each -> " " + clusterText(each.cluster());
      case SearchMessage.SearchReply each -> " " + each.candidates().size() + " candidates";
      default -> "";
    };
  }

  private static String replicatedZone(MembershipMessage.ReplicateZone replicateZone) {
    return " of " + zoneText(replicateZone.zone());
  }

  private static String levelText(int level) {
    return " on level " + level;
  }

  private static String zoneText(ZoneId zone) {
    return "zone " + zone.level() + "." + zone.initiator().number();
  }

  private static String clusterText(ClusterId cluster) {
    return "cluster "
        + cluster.level()
        + "."
        + cluster.zone().initiator().number()
        + "."
        + cluster.index();
  }

  private static String peersText(List<PeerId> peers) {
    return peers.stream()
        .map(peer -> String.valueOf(peer.number()))
        .collect(Collectors.joining(" "));
  }
}
